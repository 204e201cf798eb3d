-- name:    forget_job_marks
-- serves:  rewind, repair
-- params:  prefix: start of the names of jobs
-- returns: nothing; deletes the marks of these background jobs and waits. The jobs then start with the first block
-- reads:   job_marks, full scan
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE job_marks DELETE WHERE startsWith(job, {prefix:String}) SETTINGS mutations_sync = 2
