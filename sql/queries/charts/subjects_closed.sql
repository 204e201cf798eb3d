-- name:    subjects_closed
-- serves:  getChart
-- params:  measure: which amount, such as token_transfers | resolution: 5min, hour or day
--          | subjects: 40 hex digits: addresses or methods
-- returns: sum of the amounts of all subjects, per stored time bucket, oldest first
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
