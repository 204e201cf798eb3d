-- name:    calls_at
-- serves:  compatible account.txlist
-- params:  snapshot (the blocks that readers may see) | blocks Array(UInt64) block numbers of transactions
--          | indexes Array(UInt32) positions of these transactions in their blocks
-- returns: fields of transactions that address_roles does not have: one row per position, unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, cumulative_gas_used, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
