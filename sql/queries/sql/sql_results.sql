-- name:    sql_results
-- serves:  api, listSqlResults
-- params:  after_ms: Unix milliseconds: only later runs
-- returns: runs of a scheduled query, newest first, without the rows of their results
-- reads:   sql_results by primary key
-- budget:  5 s, 128 MiB, 10_000 rows
SELECT toUnixTimestamp64Milli(run_at) AS run_ms, slot, number, block_number, block_hash, row_count, error
FROM sql_results FINAL
WHERE query_id = {query_id:String} AND run_at > fromUnixTimestamp64Milli(toInt64({after_ms:UInt64}), 'UTC')
ORDER BY run_at DESC
LIMIT {limit:UInt32}
