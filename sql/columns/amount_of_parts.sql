-- Amount from a sum of uint256 amounts in two parts; the argument is a tuple (sum modulo 2^256, sum of amounts divided by 2^128).
-- grain: an expression, UInt256; used wherever balances are summed. The result is clamped to 0 … 2^256 - 1: a sum outside that
-- range comes from false events.
multiIf({{range_of_parts(@source)}} <= 0, toUInt256(0), {{range_of_parts(@source)}} <= 2
    AND @source.1 != 0, reinterpretAsUInt256(@source.1), bitNot(toUInt256(0)))
