-- Balance changes of senders and recipients of token transfers. @source, the argument of this fragment, is a subquery of transfers.
-- Returns one row per transfer and side, with the change as two numbers whose sums fragment amount_of_parts turns into a balance.
-- Skips the zero address, which mints come from and burned tokens go to.
SELECT block_number, timestamp, token, standard, token_id, side.1 AS holder, side.2 AS delta, side.3 AS delta_high
FROM (@source)
ARRAY JOIN [
    (to, reinterpretAsInt256(value), reinterpretAsInt256(bitShiftRight(value, 128))),
    (from, -reinterpretAsInt256(value), -reinterpretAsInt256(bitShiftRight(value, 128)))] AS side
WHERE side.1 != toFixedString('', 20)
