-- name:    history_at
-- serves:  listAccountTransactions, getSemanticHistory
-- returns: transactions at these positions with the columns of address_roles, roles 0; unordered
-- reads:   transactions at these positions
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, toUInt8(0) AS roles, hash AS tx_hash, block_hash, timestamp, type, from, to, contract_address,
    value, nonce, gas_limit, gas_used, gas_price, fee, status, if(length(input) < 4, '', substring(input, 1, 4)) AS method_id
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN {{places}}
