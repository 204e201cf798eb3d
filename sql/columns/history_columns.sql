-- Raw columns of a history row. grain: one address and transaction; used by the history statements.
    block_number, tx_index, roles, tx_hash, block_hash, timestamp, type, from, to, contract_address,
    value, nonce, gas_limit, gas_used, gas_price, fee, status, method_id
