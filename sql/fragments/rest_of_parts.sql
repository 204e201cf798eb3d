-- What a sum in parts has beside its whole multiples of 2^128: see amount_of_parts. grain: an expression, Int256 of the sign of its low part.
modulo({{low_of_parts(@source)}}, bitShiftLeft(toInt256(1), 128))
