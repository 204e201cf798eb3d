-- name:    recent_blocks
-- serves:  getStats, listCounters
-- returns: time, number of transactions and fees of each visible block of the range, lowest first
-- reads:   blocks by primary key: a few columns
-- budget:  20 s, 1024 MiB, 2_000_000 rows
SELECT block_number, timestamp, transaction_count, fees
FROM blocks
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
ORDER BY block_number
LIMIT 1 BY block_number
