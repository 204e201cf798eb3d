-- name:    live_transactions
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible transaction, in chain order
-- reads:   transactions by key
-- budget:  20 s, 1024 MiB, 250_000 rows
SELECT block_number, tx_index, from, to, contract_address, status, value, gas_used, gas_price, fee,
    length(input) AS input_bytes, authorization_count
FROM transactions
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
ORDER BY block_number, tx_index
LIMIT 1 BY block_number, tx_index
