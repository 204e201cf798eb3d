-- Balance change of an account by a row of token_transfers_by_address, in two parts (see amount_of_parts).
if(direction = 'in', 1, -1) * reinterpretAsInt256(value) AS delta,
    if(direction = 'in', 1, -1) * reinterpretAsInt256(bitShiftRight(value, 128)) AS delta_high
