-- Columns of a transaction as replies show it; grain: one transaction; read by the transaction routes.
    block_number, tx_index, concat('0x', lower(hex(hash))) AS tx_hash, concat('0x', lower(hex(block_hash))) AS block_hash, toUInt32(timestamp) AS time, type,
    concat('0x', lower(hex(from))) AS from_hex, if(to IS NULL, NULL, concat('0x', lower(hex(to)))) AS to_hex,
    if(contract_address IS NULL, NULL, concat('0x', lower(hex(contract_address)))) AS contract_hex,
    toString(value) AS value_wei, nonce, gas_limit, gas_used, cumulative_gas_used, toString(gas_price) AS gas_price_wei,
    toString(max_fee_per_gas) AS max_fee_wei, toString(max_priority_fee_per_gas) AS max_priority_fee_wei,
    toString(fee) AS fee_wei, status, concat('0x', lower(hex(substring(input, 1, 4)))) AS method_id, log_count, final
