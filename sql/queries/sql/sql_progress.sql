-- name:    sql_progress
-- serves:  getSqlQuery, runSql
-- returns: one row: progress of the query, and seconds since its time limit; no row if it does not run
-- reads:   system.processes
-- budget:  5 s, 64 MiB, 10 rows
SELECT
    elapsed,
    elapsed - toFloat64OrZero(Settings['max_execution_time']) AS overtime,
    read_rows,
    total_rows_approx,
    toUInt64(greatest(memory_usage, 0)) AS memory_bytes
FROM system.processes
WHERE position(query, {mark:String}) > 0 AND position(query, 'system.processes') = 0
LIMIT 1
