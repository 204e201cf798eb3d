-- Movements of coin that a transaction causes for one account with the bits @source of its roles in it: an array of (kind, position,
-- is_in, amount in wei, counterparty). A failed transaction moves only its fee.
arrayConcat(
    if(bitAnd(@source, 1) = 1 AND fee > 0, [('fee', toUInt64(0), toUInt8(0), fee, '')], []),
    if(bitAnd(@source, 1) = 1 AND ifNull(status, 1) = 1 AND value > 0,
        [('transfer', toUInt64(1), toUInt8(0), value, concat(ifNull({{recipient}}, toFixedString('', 20)), ''))], []),
    if(bitAnd(@source, 2) = 2 AND ifNull(status, 1) = 1 AND value > 0,
        [('transfer', toUInt64(2), toUInt8(1), value, concat(from, ''))], []))
