-- Balance change of the account by a row of token_transfers_by_address. Fragment amount_of_parts converts the sums of delta and
-- delta_high to a balance.
if(direction = 'in', 1, -1) * reinterpretAsInt256(value) AS delta,
    if(direction = 'in', 1, -1) * reinterpretAsInt256(bitShiftRight(value, 128)) AS delta_high
