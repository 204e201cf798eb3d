-- name:    calls_at
-- serves:  compatible account.txlist
-- params:  snapshot (blocks visible to readers) | blocks Array(UInt64) block numbers
--          | indexes Array(UInt32) positions of transactions in these blocks
-- returns: fields of transactions that address_roles does not have: one row per position, unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, cumulative_gas_used, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
