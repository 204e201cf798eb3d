-- name:    figure_transactions
-- serves:  pipeline
-- returns: fields of stored transactions, in chain order, from which block_figures (statistics for charts) is computed
-- reads:   transactions by primary key
-- budget:  60 s, 2048 MiB, 20_000_000 rows
SELECT block_number, tx_index, from, to, contract_address, status, value, gas_used, gas_price, fee, length(input) AS input_bytes, authorization_count
FROM transactions
WHERE final = {final:UInt8} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, tx_index
LIMIT 1 BY block_number, tx_index
