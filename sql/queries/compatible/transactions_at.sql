-- name:    transactions_at
-- serves:  compatible account.tokentx, compatible logs.getlogs
-- returns: fields of the transactions at these positions that logs and transfers lack; unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, block_hash, nonce, gas_limit, gas_price, gas_used, cumulative_gas_used, substring(input, 1, 4) AS method_id
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
