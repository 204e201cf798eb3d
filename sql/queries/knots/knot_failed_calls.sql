-- name:    knot_failed_calls
-- serves:  pipeline
-- params:  to_block: last block, inclusive; it is finalized
-- returns: failed contract calls of the block range, with the fields with which eth_call can repeat them
-- reads:   transactions by primary key
-- budget:  60 s, 1024 MiB, 1000 rows
SELECT block_number, hash, from, to, value, gas_limit, input
FROM transactions
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND status = 0 AND to IS NOT NULL AND gas_used < gas_limit AND length(input) <= 16384
ORDER BY block_number, tx_index
LIMIT {limit:UInt32}
