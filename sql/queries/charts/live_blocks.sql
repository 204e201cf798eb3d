-- name:    live_blocks
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block, lowest first
-- reads:   blocks by key
-- budget:  20 s, 512 MiB, 250_001 rows
SELECT block_number, timestamp, transaction_count, gas_used, gas_limit, fees, burned, size, log_count
FROM blocks
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
ORDER BY block_number
LIMIT 1 BY block_number
