-- name:    holder_total
-- serves:  pipeline
-- returns: one row: sum of all ERC-20 balances of the token, in the smallest unit. Fragment amount_of_parts converts the two
--          numbers to the sum
-- reads:   token_holder_count_eras by primary key; token_transfers after the rollup windows, token_balance_eras_by_holder of
--          their holders
-- budget:  20 s, 2048 MiB, 1 row
SELECT toString(sum(low_part)) AS held, toString(sum(high_part)) AS held_high
FROM
(
    SELECT held_delta AS low_part, held_high AS high_part
    FROM
    (
        SELECT token, era, held_delta, held_high FROM token_holder_count_eras
        WHERE token = unhex({token:String}) AND standard = 'erc20' AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
        LIMIT 1 BY token, era
    )
    UNION ALL
    SELECT reinterpretAsInt256(after) - reinterpretAsInt256(before),
        reinterpretAsInt256(bitShiftRight(after, 128)) - reinterpretAsInt256(bitShiftRight(before, 128))
    FROM
    (
        SELECT {{amount_of_parts(parts_before)}} AS before, {{amount_of_parts(parts_after)}} AS after
        FROM ({{live_holder_balances(token = unhex({token:String}) AND standard = 'erc20')}})
    )
)
