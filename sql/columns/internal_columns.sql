-- Columns of an internal call (made by a contract in a transaction), as stored.
    block_number, tx_index, call_index, tx_hash, timestamp, type, from, to, value, gas, gas_used, trace_id, error
