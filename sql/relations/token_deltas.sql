-- Balance changes by holder from token transfers, in two parts (see amount_of_parts); the argument is a subquery of transfers.
-- grain: one row per transfer and side. Excludes the zero address, the source of mints and target of burns.
SELECT block_number, timestamp, token, standard, token_id, side.1 AS holder, side.2 AS delta, side.3 AS delta_high
FROM (@source)
ARRAY JOIN [
    (to, reinterpretAsInt256(value), reinterpretAsInt256(bitShiftRight(value, 128))),
    (from, -reinterpretAsInt256(value), -reinterpretAsInt256(bitShiftRight(value, 128)))] AS side
WHERE side.1 != toFixedString('', 20)
