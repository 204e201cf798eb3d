-- Balances before and after the last closed era of everyone whose balance has changed since, over all ids of a token; the
-- argument is a condition on token_transfers. grain: one row a token and holder; read by holder lists and counts.
SELECT token, holder, earlier.balance AS before, earlier.balance + changed.delta AS after
FROM
(
    SELECT token, holder, sum(delta) AS delta
    FROM ({{token_deltas({{live_token_transfers(@source)}})}})
    GROUP BY token, holder
) AS changed
LEFT JOIN
(
    SELECT token, holder, sum(delta) AS balance
    FROM
    (
        SELECT token, token_id, holder, era, delta FROM holder_balance_eras
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}) AND (holder, token) IN
            (SELECT holder, token FROM ({{token_deltas({{live_token_transfers(@source)}})}}))
        LIMIT 1 BY token, token_id, holder, era
    )
    GROUP BY token, holder
) AS earlier USING (token, holder)
