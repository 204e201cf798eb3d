-- name:    live_operations
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible ERC-4337 operation: its transaction, wallet and paymaster as topics of 32 bytes
-- reads:   logs by key
-- budget:  20 s, 512 MiB, 750_000 rows
SELECT block_number, tx_index, topic2, topic3
FROM logs
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}} AND {{is_user_operation}}
LIMIT 1 BY block_number, log_index
