-- Columns of a history row as replies show it; grain: one address and transaction; read by the history statements.
    block_number, tx_index, roles, concat('0x', lower(hex(tx_hash))) AS tx_hash, concat('0x', lower(hex(block_hash))) AS block_hash,
    toUInt32(timestamp) AS timestamp, type,
    concat('0x', lower(hex(from))) AS from, if(to IS NULL, NULL, concat('0x', lower(hex(to)))) AS to,
    if(contract_address IS NULL, NULL, concat('0x', lower(hex(contract_address)))) AS contract_address,
    toString(value) AS value, nonce, gas_limit, gas_used, toString(gas_price) AS gas_price, toString(fee) AS fee, status,
    concat('0x', lower(hex(method_id))) AS method_id
