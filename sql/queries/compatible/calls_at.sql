-- name:    calls_at
-- serves:  compatible account.txlist
-- params:  snapshot | blocks Array(UInt64) | indexes Array(UInt32) transaction positions, same length
-- returns: transaction fields missing in history rows: one row per position, unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, cumulative_gas_used, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
