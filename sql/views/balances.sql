-- view:   balances
-- what:   token balances above 0 at the block of the query, computed from transfers: one row per token, standard, token id and holder
-- fast:   filters on token
-- base:   token_balance_eras, token_transfers
-- column: balance Balance in the smallest unit of the token
SELECT token, standard, token_id, holder, {{amount_of_parts(parts)}} AS balance
FROM
(
    SELECT token, standard, token_id, holder, (sum(delta), sum(delta_high)) AS parts
    FROM
    (
        SELECT token, standard, token_id, holder, delta, delta_high
        FROM token_balance_eras FINAL
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
        UNION ALL
        SELECT token, standard, token_id, holder, delta, delta_high
        FROM ({{token_deltas((SELECT * FROM token_transfers FINAL WHERE block_number >= {era_through:UInt64} AND {{visible}}
            SETTINGS do_not_merge_across_partitions_select_final = 1))}})
    )
    GROUP BY token, standard, token_id, holder
)
WHERE {{is_held_of_parts(parts)}}
