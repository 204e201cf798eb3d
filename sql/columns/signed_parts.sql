-- Balance change of an account by a row of token_transfers_by_address, as two numbers whose sums fragment amount_of_parts turns
-- into a balance.
if(direction = 'in', 1, -1) * reinterpretAsInt256(value) AS delta,
    if(direction = 'in', 1, -1) * reinterpretAsInt256(bitShiftRight(value, 128)) AS delta_high
