-- name:    knot_transactions
-- serves:  pipeline
-- params:  to_block: last block, inclusive; it is finalized
-- returns: finalized transactions of the block range, in chain order; may repeat rows
-- reads:   transactions by primary key
-- budget:  60 s, 2048 MiB, 2_000_000 rows
SELECT block_number, tx_index, hash, timestamp, from, to, contract_address, value, gas_limit, gas_used, fee, status,
    substring(input, 1, 4) AS method_id
FROM transactions
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, tx_index
