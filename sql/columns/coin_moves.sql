-- Movements of native currency by a transaction for one account: an array of (kind, position, is_in, amount in wei,
-- counterparty). @source stands for the roles of the account, the sum of 1 (sender) and 2 (recipient). A failed transaction moves
-- only its fee.
arrayConcat(
    if(bitAnd(@source, 1) = 1 AND fee > 0, [('fee', toUInt64(0), toUInt8(0), fee, '')], []),
    if(bitAnd(@source, 1) = 1 AND {{moved_coin}} > 0,
        [('transfer', toUInt64(1), toUInt8(0), value, concat(ifNull({{recipient}}, toFixedString('', 20)), ''))], []),
    if(bitAnd(@source, 2) = 2 AND {{moved_coin}} > 0,
        [('transfer', toUInt64(2), toUInt8(1), value, concat(from, ''))], []))
