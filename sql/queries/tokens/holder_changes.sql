-- name:    holder_changes
-- serves:  listHolderChanges
-- params:  from_time: start of the first hour, Unix seconds | to_time: end of the last hour, exclusive
--          | closed_to: end of the last of these hours with stored figures, exclusive | day_from: start of the first complete
--            stored day of the range | day_to: end of the last one, exclusive | from_block: first block after the hours with
--            stored figures
--          | base_block: start of a rollup window, at or before from_block; all earlier windows are stored
--          | limit: maximum number of tokens that gained, and of those that lost
-- returns: tokens whose number of holders changed in the range, largest change first: the change. Every row repeats the number
--          of tokens that gained and that lost holders
-- reads:   subject_buckets: rows of the measure token_holders; with live, also token_transfers from base_block on, and
--          token_balance_eras_by_holder for the addresses found
-- budget:  20 s, 2048 MiB, 400 rows
SELECT concat('0x', lower(hex(token))) AS address, change, toUInt8(change > 0) AS gained,
    countIf(change > 0) OVER () AS gained_count, countIf(change < 0) OVER () AS lost_count
FROM
(
    SELECT token, toInt64(sum(amount)) AS change
    FROM
    (
        SELECT subject AS token, toInt256(amount) AS amount
        FROM
        (
            SELECT resolution, subject, bucket, amount FROM subject_buckets
            WHERE measure = 'token_holders' AND resolution IN ('day', 'hour')
                AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket < toDateTime({closed_to:UInt32}, 'UTC')
                AND (resolution = 'day') = (bucket >= toDateTime({day_from:UInt32}, 'UTC') AND bucket < toDateTime({day_to:UInt32}, 'UTC'))
            LIMIT 1 BY resolution, subject, bucket
        )
        /*?live:*/ UNION ALL
        SELECT token, amount
        FROM ({{holder_steps((
            SELECT * FROM token_transfers WHERE block_number >= {base_block:UInt64} AND {{visible}}
            LIMIT 1 BY token, block_number, log_index, batch_index))}})
        WHERE bucket >= greatest(toDateTime({from_time:UInt32}, 'UTC'), toDateTime({closed_to:UInt32}, 'UTC'))
            AND bucket < toDateTime({to_time:UInt32}, 'UTC') /*?;*/
    )
    GROUP BY token
    HAVING change != 0
)
ORDER BY abs(change) DESC, token
LIMIT {limit:UInt32} BY gained
