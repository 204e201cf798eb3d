-- name:    calls_at
-- serves:  compatible account.txlist
-- params:  snapshot | blocks Array(UInt64) | indexes Array(UInt32) places of transactions, same length
-- returns: what history rows don't hold: one row per place, in no order
-- reads:   transactions at the places
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, cumulative_gas_used, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
