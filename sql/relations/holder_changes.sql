-- Token balances of holders before and after each rollup window of {era_blocks} blocks that changed them, for the windows from
-- block {from_block} to {to_block}. One row per token, standard, holder and window, over all token ids.
-- Computing several windows together gives the same rows as computing each one separately.
SELECT token, standard, holder, era, {{amount_of_parts(parts_before)}} AS before, {{amount_of_parts(parts_after)}} AS after
FROM
(
    SELECT token, standard, holder, era, earlier.parts + (
        sum(delta) OVER (PARTITION BY token, standard, holder ORDER BY era ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        sum(delta_high) OVER (PARTITION BY token, standard, holder ORDER BY era ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS parts_after,
        parts_after - (delta, delta_high) AS parts_before
    FROM
    (
        SELECT token, standard, holder, era, sum(delta) AS delta, sum(delta_high) AS delta_high
        FROM
        (
            SELECT token, standard, token_id, holder, era, delta, delta_high FROM token_balance_eras
            WHERE era BETWEEN intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND intDiv({to_block:UInt64}, {era_blocks:UInt64})
            LIMIT 1 BY token, standard, token_id, holder, era
        )
        GROUP BY token, standard, holder, era
    ) AS changed
    LEFT JOIN
    ({{held_parts(era < intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND (holder, token, standard) IN
        (
            SELECT holder, token, standard FROM token_balance_eras
            WHERE era BETWEEN intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND intDiv({to_block:UInt64}, {era_blocks:UInt64})
        ))}}) AS earlier USING (token, standard, holder)
)
WHERE before != after
