-- Raw columns of an internal call. grain: one call; used by the statements of internal calls.
    block_number, tx_index, call_index, tx_hash, timestamp, type, from, to, value, gas, gas_used, trace_id, error
