-- name:    holder_changes_closed
-- serves:  listHolderChanges
-- params:  from_time: start of the first hour, Unix seconds | day_from: start of the first whole day of the range
--          | day_to: end of the last one, exclusive | to_time: end of the last hour, exclusive
-- returns: one row per token whose number of holders changed in the stored hours of the range: the change
-- reads:   subject_buckets, rows of the measure token_holders
-- budget:  20 s, 2048 MiB, 1_000_000 rows
SELECT lower(hex(subject)) AS token_hex, toInt64(sum(amount)) AS change
FROM
(
    SELECT resolution, subject, bucket, amount FROM subject_buckets
    WHERE measure = 'token_holders' AND resolution IN ('day', 'hour')
        AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket < toDateTime({to_time:UInt32}, 'UTC')
        AND (resolution = 'day') = (bucket >= toDateTime({day_from:UInt32}, 'UTC') AND bucket < toDateTime({day_to:UInt32}, 'UTC'))
    LIMIT 1 BY resolution, subject, bucket
)
GROUP BY subject
HAVING change != 0
