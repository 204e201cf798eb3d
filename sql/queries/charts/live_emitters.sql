-- name:    live_emitters
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block and address that emitted a log in it, with the number of these logs
-- reads:   logs by key
-- budget:  20 s, 512 MiB, 750_000 rows
SELECT block_number, address, uniqExact(log_index) AS emitted
FROM logs
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
GROUP BY block_number, address
