-- Net change of the number of holders of a token by bucket of {bucket_seconds}, from block {from_block} on, over all ids of a
-- token. The argument is a subquery of transfers from {base_block} on: the start of an era at or before {from_block}, before
-- which all eras are closed. grain: one row a token and bucket that changes it; buckets of any length add up.
SELECT token, bucket, toInt256(countIf(after > 0)) - toInt256(countIf(after - delta > 0)) AS amount
FROM
(
    SELECT token, holder, is_within, bucket, delta, earlier.balance
        + sum(delta) OVER (PARTITION BY token, holder ORDER BY is_within, bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS after
    FROM
    (
        SELECT token, side.1 AS holder, block_number >= {from_block:UInt64} AS is_within,
            if(is_within, {{bucket_start}}, toDateTime(0, 'UTC')) AS bucket, sum(side.2) AS delta
        FROM (@source)
        ARRAY JOIN [(to, reinterpretAsInt256(value)), (from, -reinterpretAsInt256(value))] AS side
        WHERE side.1 != toFixedString('', 20)
        GROUP BY token, holder, is_within, bucket
    ) AS changed
    LEFT JOIN
    (
        SELECT token, holder, sum(delta) AS balance
        FROM
        (
            SELECT token, token_id, holder, era, delta FROM holder_balance_eras
            WHERE era < intDiv({base_block:UInt64}, {era_blocks:UInt64})
              AND (holder, token) IN (SELECT side, token FROM (@source) ARRAY JOIN [to, from] AS side)
            LIMIT 1 BY token, token_id, holder, era
        )
        GROUP BY token, holder
    ) AS earlier USING (token, holder)
)
WHERE is_within
GROUP BY token, bucket
HAVING amount != 0
