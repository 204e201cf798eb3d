-- Balance changes by token transfers: one row per transfer and account, without the zero address of mints and burns. @source
-- stands for a subquery of transfers. Fragment amount_of_parts converts the sums of delta and delta_high to a balance.
SELECT block_number, timestamp, token, standard, token_id, side.1 AS holder, side.2 AS delta, side.3 AS delta_high
FROM (@source)
ARRAY JOIN [
    (to, reinterpretAsInt256(value), reinterpretAsInt256(bitShiftRight(value, 128))),
    (from, -reinterpretAsInt256(value), -reinterpretAsInt256(bitShiftRight(value, 128)))] AS side
WHERE side.1 != toFixedString('', 20)
