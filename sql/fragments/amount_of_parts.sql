-- Amount from a sum of uint256 amounts kept in parts; the argument is a tuple (sum modulo 2^256, sum of amounts divided by 2^128).
-- grain: an expression, UInt256; read wherever balances are summed. A sum below 0 is 0, one above 2^256 - 1 is that: no contract
-- can hold either, its events lie. Where nothing reached 2^128 the first part is exact by itself.
if(@source.2 = 0, reinterpretAsUInt256(greatest(@source.1, toInt256(0))), multiIf(
    {{carried_of_parts(@source)}} < 0 OR ({{carried_of_parts(@source)}} = 0 AND {{rest_of_parts(@source)}} <= 0), toUInt256(0),
    {{carried_of_parts(@source)}} > bitShiftLeft(toInt256(1), 128) OR ({{carried_of_parts(@source)}} = bitShiftLeft(toInt256(1), 128) AND {{rest_of_parts(@source)}} >= 0), bitNot(toUInt256(0)),
    reinterpretAsUInt256(@source.1)))
