-- name:    stored_transactions
-- serves:  verify
-- returns: stored transactions
-- reads:   transactions by primary key
-- budget:  60 s, 2048 MiB, 5_000_000 rows
SELECT concat(toString(block_number), ':', toString(tx_index)) AS key, concat('0x', lower(hex(hash))) AS hash,
    concat('0x', lower(hex(block_hash))) AS block_hash,
    ifNull(toString(status), '') AS status, toString(gas_used) AS gas_used, toString(value) AS value,
    concat('0x', lower(hex(from))) AS from, if(to IS NULL, '', concat('0x', lower(hex(to)))) AS to,
    if(contract_address IS NULL, '', concat('0x', lower(hex(contract_address)))) AS contract_address,
    toString(nonce) AS nonce, toString(gas_price) AS gas_price, toString(fee) AS fee, toString(type) AS type,
    lower(hex(MD5(input))) AS input_digest
FROM transactions
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, tx_index
LIMIT 1 BY block_number, tx_index, hash
