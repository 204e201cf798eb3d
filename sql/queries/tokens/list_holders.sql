-- name:    list_holders
-- serves:  listTokenHolders
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
--          | at_inverse UInt256 | at_holder String 40 hex digits: last row sent, exclusive | limit UInt32
-- returns: one row per holder with more than 0, richest first, then by address
-- reads:   token_holder_ranks by key; token_transfers since the last closed era, holder_balance_eras of who moved since
-- budget:  10 s, 1024 MiB, 201 rows
SELECT concat('0x', lower(hex(holder))) AS address, toString(bitNot(inverse_balance)) AS balance, toString(inverse_balance) AS inverse
FROM
(
    SELECT holder, inverse_balance
    FROM
    (
        SELECT holder, inverse_balance, is_held FROM token_holder_ranks FINAL
        WHERE token = unhex({token:String}) AND inverse_balance >= {at_inverse:UInt256}
          AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
    )
    WHERE is_held = 1 AND holder NOT IN (SELECT holder FROM ({{token_deltas({{live_token_transfers(token = unhex({token:String}))}})}}))
    ORDER BY inverse_balance, holder
    LIMIT {limit:UInt32}
    UNION ALL
    SELECT holder, bitNot(reinterpretAsUInt256(after)) AS inverse_balance
    FROM ({{live_holder_balances(token = unhex({token:String}))}})
    WHERE after > 0 AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
    ORDER BY inverse_balance, holder
    LIMIT {limit:UInt32}
)
ORDER BY inverse_balance, holder
LIMIT {limit:UInt32}
