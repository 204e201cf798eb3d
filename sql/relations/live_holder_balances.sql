-- Balances before and after the last closed rollup window of all holders whose balance changed since, over all ids of a token's
-- standard; the argument is a condition on token_transfers. grain: one row per token, standard and holder, in two parts
-- (see amount_of_parts); used by holder lists and counts.
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
