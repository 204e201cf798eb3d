-- name:    holder_total
-- serves:  pipeline
-- params:  snapshot | era_through UInt64 | era_blocks UInt64 | token String 40 hex digits
-- returns: one row; sum of all balances above 0, smallest unit
-- reads:   token_holder_count_eras by key; token_transfers since the last closed era, holder_balance_eras of who moved since
-- budget:  20 s, 2048 MiB, 1 row
SELECT toString(sum(held)) AS total
FROM
(
    SELECT sum(held_delta) AS held
    FROM
    (
        SELECT token, era, held_delta FROM token_holder_count_eras
        WHERE token = unhex({token:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
        LIMIT 1 BY token, era
    )
    UNION ALL
    SELECT sum(greatest(after, toInt256(0)) - greatest(before, toInt256(0))) AS held
    FROM ({{live_holder_balances(token = unhex({token:String}))}})
)
