-- Token balances of the holders in transfers after the rollup windows (block ranges with stored totals): before and after these
-- transfers. @source, the argument of this fragment, is a condition on token_transfers.
-- Returns one row per token, standard and holder, over all token ids. A balance is a pair of numbers, from which fragment
-- amount_of_parts computes the amount.
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
