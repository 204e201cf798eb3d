-- name:    job_mark
-- serves:  pipeline, api
-- returns: last block that the background job has processed, and the version of its row, or no row
-- reads:   job_marks by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT through, version FROM job_marks WHERE job = {job:String} ORDER BY version DESC LIMIT 1
