-- name:    forget_job_marks
-- serves:  rewind, repair
-- params:  prefix: start of the names of jobs
-- returns: nothing; waits until the marks of these background jobs are deleted, so that they start with the first block
-- reads:   job_marks, full scan
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE job_marks DELETE WHERE startsWith(job, {prefix:String}) SETTINGS mutations_sync = 2
