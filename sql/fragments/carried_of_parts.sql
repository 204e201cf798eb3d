-- Whole multiples of 2^128 in a sum in parts: see amount_of_parts. grain: an expression, Int256.
(@source.2 + intDiv({{low_of_parts(@source)}}, bitShiftLeft(toInt256(1), 128)))
