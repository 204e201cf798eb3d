-- name:    calls_at
-- serves:  compatible account.txlist
-- returns: fields of the transactions at these positions that address_roles lacks; unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows of 32 MiB
SELECT block_number, tx_index, cumulative_gas_used, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
