-- Columns of an internal call, bare; grain: one call; read by the statements of internal calls.
    block_number, tx_index, call_index, tx_hash, timestamp, type, from, to, value, gas, gas_used, trace_id, error
