-- Changes of the number of token holders from block {from_block} on: one row per token and time bucket of {bucket_seconds} with
-- a change. Changes of short buckets add up to those of long buckets. A holder of several token ids of a contract counts once.
-- If a contract has two standards, such as ERC-20 and ERC-721, holders count per standard.
-- @source stands for a subquery of transfers from block {base_block} on. {base_block} must start a rollup window of
-- {era_blocks} blocks, at or before {from_block}: the stored totals of earlier windows give the earlier balances.
SELECT token, bucket, toInt256(countIf({{is_held_of_parts(parts_after)}})) - toInt256(countIf({{is_held_of_parts(parts_before)}})) AS amount
FROM
(
    SELECT token, standard, holder, is_within, bucket, earlier.parts + (
        sum(delta) OVER (PARTITION BY token, standard, holder ORDER BY is_within, bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        sum(delta_high) OVER (PARTITION BY token, standard, holder ORDER BY is_within, bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS parts_after,
        parts_after - (delta, delta_high) AS parts_before
    FROM
    (
        SELECT token, standard, holder, block_number >= {from_block:UInt64} AS is_within,
            if(is_within, {{bucket_start}}, toDateTime(0, 'UTC')) AS bucket, sum(delta) AS delta, sum(delta_high) AS delta_high
        FROM ({{token_deltas(@source)}})
        GROUP BY token, standard, holder, is_within, bucket
    ) AS changed
    LEFT JOIN
    ({{held_parts(era < intDiv({base_block:UInt64}, {era_blocks:UInt64})
          AND (holder, token) IN (SELECT side, token FROM (@source) ARRAY JOIN [to, from] AS side))}}) AS earlier USING (token, standard, holder)
)
WHERE is_within
GROUP BY token, bucket
HAVING amount != 0
