-- What a sum in parts has beside its high part: see amount_of_parts. grain: an expression, Int256.
(@source.1 - @source.2 * bitShiftLeft(toInt256(1), 128))
