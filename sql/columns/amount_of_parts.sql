-- Sum of uint256 amounts as UInt256, from a pair that @source stands for: the sum modulo 2^256, and the sum of the amounts
-- divided by 2^128 (rounded down).
-- Limits the result to 0 … 2^256 - 1: only false transfer events give other sums.
multiIf({{range_of_parts(@source)}} <= 0, toUInt256(0), {{range_of_parts(@source)}} <= 2
    AND @source.1 != 0, reinterpretAsUInt256(@source.1), bitNot(toUInt256(0)))
