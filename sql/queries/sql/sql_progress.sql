-- name:    sql_progress
-- serves:  getSqlQuery
-- returns: one row with the progress of the query; no row if it does not run
-- reads:   system.processes
-- budget:  5 s, 64 MiB, 10 rows
SELECT elapsed, read_rows, total_rows_approx, toUInt64(greatest(memory_usage, 0)) AS memory_bytes
FROM system.processes
WHERE position(query, {mark:String}) > 0 AND position(query, 'system.processes') = 0
LIMIT 1
