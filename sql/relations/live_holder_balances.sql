-- Token balances before and after the transfers that follow the rollup windows: one row per token, standard and holder in these
-- transfers, over all token ids. @source stands for a condition on token_transfers. Fragment amount_of_parts converts
-- parts_before and parts_after to balances.
SELECT token, standard, holder, earlier.parts AS parts_before, earlier.parts + changed.parts AS parts_after
FROM
(
    SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts
    FROM ({{token_deltas({{live_token_transfers(@source)}})}})
    GROUP BY token, standard, holder
) AS changed
LEFT JOIN
({{held_parts(era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND (holder, token, standard) IN
        (SELECT holder, token, standard FROM ({{token_deltas({{live_token_transfers(@source)}})}})))}}) AS earlier USING (token, standard, holder)
