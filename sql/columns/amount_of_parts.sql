-- Computes a sum of uint256 amounts as UInt256. Pass a pair as @source: the sum modulo 2^256, and a second
-- sum for which each amount was divided by 2^128 first (without remainder).
-- Limits the result to 0 … 2^256 - 1: only false transfer events give sums outside this range.
multiIf({{range_of_parts(@source)}} <= 0, toUInt256(0), {{range_of_parts(@source)}} <= 2
    AND @source.1 != 0, reinterpretAsUInt256(@source.1), bitNot(toUInt256(0)))
