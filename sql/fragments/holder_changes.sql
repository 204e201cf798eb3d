-- Balance of each holder before and after each era between {from_block} and {to_block} in which it changed, over all ids of
-- a token; grain: one row a token, holder and era; read by the rollups of holders. An era's rows don't depend on the window.
SELECT token, holder, era, after - delta AS before, after
FROM
(
    SELECT token, holder, era, delta, earlier.balance
        + sum(delta) OVER (PARTITION BY token, holder ORDER BY era ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS after
    FROM
    (
        SELECT token, holder, era, sum(delta) AS delta
        FROM
        (
            SELECT token, token_id, holder, era, delta FROM token_balance_eras
            WHERE era BETWEEN intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND intDiv({to_block:UInt64}, {era_blocks:UInt64})
            LIMIT 1 BY token, token_id, holder, era
        )
        GROUP BY token, holder, era
    ) AS changed
    LEFT JOIN
    (
        SELECT token, holder, sum(delta) AS balance
        FROM
        (
            SELECT token, token_id, holder, era, delta FROM holder_balance_eras
            WHERE era < intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND (holder, token) IN
            (
                SELECT holder, token FROM token_balance_eras
                WHERE era BETWEEN intDiv({from_block:UInt64}, {era_blocks:UInt64}) AND intDiv({to_block:UInt64}, {era_blocks:UInt64})
            )
            LIMIT 1 BY token, token_id, holder, era
        )
        GROUP BY token, holder
    ) AS earlier USING (token, holder)
)
WHERE delta != 0
