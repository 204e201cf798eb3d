-- name:    job_marks_of
-- serves:  pipeline, getCoinSnapshot
-- params:  prefix: start of the names of jobs
-- returns: progress marks of these background jobs by name, each with its version, which grows with each write
-- reads:   job_marks by primary key
-- budget:  5 s, 64 MiB, 10_000 rows
SELECT job, through, version FROM job_marks WHERE startsWith(job, {prefix:String}) ORDER BY job, version DESC LIMIT 1 BY job
