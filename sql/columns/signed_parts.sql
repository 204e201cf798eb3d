-- Change of an account's balance by a row of token_transfers_by_address, in parts (see amount_of_parts); columns over such a row.
if(direction = 'in', 1, -1) * reinterpretAsInt256(value) AS delta,
    if(direction = 'in', 1, -1) * reinterpretAsInt256(bitShiftRight(value, 128)) AS delta_high
