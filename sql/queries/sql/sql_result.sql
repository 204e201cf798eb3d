-- name:    sql_result
-- serves:  api, getSqlResult
-- params:  run_ms: time of the run, Unix milliseconds
-- returns: the result of one run, or no row
-- reads:   sql_results by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT toUnixTimestamp64Milli(run_at) AS run_ms, number, block_number, block_hash, columns, rows, row_count, error
FROM sql_results FINAL
WHERE query_id = {query_id:String} AND run_at = fromUnixTimestamp64Milli(toInt64({run_ms:UInt64}), 'UTC')
