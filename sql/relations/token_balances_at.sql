-- Balances of holders of {token} with {standard} after {from_block} and after {to_block}: one row per holder, over all token
-- ids. Fragment amount_of_parts converts parts_before and parts_after to balances.
-- Adds stored totals of rollup windows of {era_blocks} blocks. Adds single transfers in the two windows that contain these
-- blocks, and from {era_through} on, where no totals are stored yet.
SELECT holder, (sumIf(delta, is_before), sumIf(delta_high, is_before)) AS parts_before, (sum(delta), sum(delta_high)) AS parts_after
FROM
(
    SELECT holder, delta, delta_high, era < intDiv({from_block:UInt64}, {era_blocks:UInt64}) AS is_before
    FROM token_balance_eras FINAL
    WHERE token = unhex({token:String}) AND standard = {standard:String}
        AND era < least(intDiv({to_block:UInt64}, {era_blocks:UInt64}), intDiv({era_through:UInt64}, {era_blocks:UInt64}))
        AND era != intDiv({from_block:UInt64}, {era_blocks:UInt64})
    UNION ALL
    SELECT holder, delta, delta_high, block_number <= {from_block:UInt64} AS is_before
    FROM ({{token_deltas((SELECT * FROM token_transfers FINAL
        WHERE token = unhex({token:String}) AND standard = {standard:String} AND block_number <= {to_block:UInt64} AND {{visible}}
            AND bitOr(block_number >= {era_through:UInt64}, intDiv(block_number, {era_blocks:UInt64})
                IN (intDiv({from_block:UInt64}, {era_blocks:UInt64}), intDiv({to_block:UInt64}, {era_blocks:UInt64})))
        SETTINGS do_not_merge_across_partitions_select_final = 1))}})
)
GROUP BY holder
