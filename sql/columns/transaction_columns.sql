-- Columns of a transaction, as stored. Of the call data, only the first 4 bytes, which select the method.
    block_number, tx_index, hash, block_hash, timestamp, type, from, to, contract_address, value, nonce, gas_limit, gas_used, cumulative_gas_used,
    gas_price, max_fee_per_gas, max_priority_fee_per_gas, fee, status, substring(input, 1, 4) AS method_id, log_count
