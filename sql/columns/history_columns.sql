-- Columns of a transaction in the history of an address, as stored in address_roles.
    block_number, tx_index, roles, tx_hash, block_hash, timestamp, type, from, to, contract_address,
    value, nonce, gas_limit, gas_used, gas_price, fee, status, method_id
