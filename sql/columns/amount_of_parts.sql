-- Amount from a sum of uint256 amounts kept in parts; the argument is a tuple (sum modulo 2^256, sum of amounts divided by 2^128).
-- grain: an expression, UInt256; read wherever balances are summed. A sum below 0 is 0, one above 2^256 - 1 is that: no contract
-- can hold either, its events lie.
multiIf({{range_of_parts(@source)}} <= 0, toUInt256(0), {{range_of_parts(@source)}} <= 2
    AND @source.1 != 0, reinterpretAsUInt256(@source.1), bitNot(toUInt256(0)))
