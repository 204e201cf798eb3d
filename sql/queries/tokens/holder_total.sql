-- name:    holder_total
-- serves:  getToken, listTokenHolders
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
-- returns: one row; sum of all balances above 0, smallest unit
-- reads:   token_holder_ranks and holder_balance_eras by key; token_transfers since the last closed era
-- budget:  20 s, 2048 MiB, 1 row
SELECT toString(sum(balance)) AS total
FROM
(
    SELECT sum(bitNot(inverse_balance)) AS balance
    FROM (SELECT inverse_balance, holder, is_held FROM token_holder_ranks FINAL WHERE token = unhex({token:String}))
    WHERE is_held = 1 AND holder NOT IN (SELECT holder FROM ({{token_deltas({{live_token_transfers(token = unhex({token:String}))}})}}))
    UNION ALL
    SELECT sum(reinterpretAsUInt256(after)) AS balance FROM ({{live_holder_balances(token = unhex({token:String}))}}) WHERE after > 0
)
