-- Balance changes by holder from token transfers; the argument is a subquery of transfers.
-- grain: one row a transfer and side; the zero address, source of mints and sink of burns, holds nothing.
SELECT block_number, token, token_id, side.1 AS holder, side.2 AS delta
FROM (@source)
ARRAY JOIN [(to, reinterpretAsInt256(value)), (from, -reinterpretAsInt256(value))] AS side
WHERE side.1 != toFixedString('', 20)
