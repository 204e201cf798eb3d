-- name:    running_inserts
-- serves:  pipeline
-- params:  none
-- returns: count of inserts that run now, also those of a pipeline that is gone
-- reads:   system.processes
-- budget:  5 s, 64 MiB, 1 row
SELECT count() AS running
FROM system.processes
WHERE upper(substring(trimLeft(query), 1, 6)) = 'INSERT'
