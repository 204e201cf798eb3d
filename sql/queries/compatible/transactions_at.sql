-- name:    transactions_at
-- serves:  compatible account.tokentx, compatible logs.getlogs
-- params:  snapshot (blocks visible to readers) | blocks Array(UInt64) block numbers
--          | indexes Array(UInt32) positions of transactions in these blocks
-- returns: fields of transactions that logs and transfers do not have: one row per position, unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, block_hash, nonce, gas_limit, gas_price, gas_used, cumulative_gas_used, substring(input, 1, 4) AS method_id
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
