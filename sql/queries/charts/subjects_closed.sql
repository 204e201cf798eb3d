-- name:    subjects_closed
-- serves:  getChart
-- params:  measure String which amount, such as token_transfers | resolution String 5min, hour or day
--          | subjects Array(String) 40 hex digits: addresses or methods | from_time UInt32
--          | to_time UInt32 starts of buckets, both inclusive
-- returns: one row per time bucket with stored figures: amount, summed over the subjects, oldest first
-- reads:   subject_buckets by primary key
-- budget:  10 s, 1024 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time, toString(sum(amount)) AS total
FROM
(
    SELECT subject, bucket, amount FROM subject_buckets
    WHERE measure = {measure:String} AND resolution = {resolution:String}
      AND subject IN (SELECT toFixedString(unhex(arrayJoin({subjects:Array(String)})), 20))
      AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket <= toDateTime({to_time:UInt32}, 'UTC')
    LIMIT 1 BY subject, bucket
)
GROUP BY bucket
ORDER BY bucket
