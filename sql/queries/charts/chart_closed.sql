-- name:    chart_closed
-- serves:  getChart, getLine, listCounters
-- returns: statistics of blocks per stored time bucket with blocks, oldest first
-- reads:   chart_buckets by primary key
-- budget:  10 s, 1024 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time,
{{bucket_columns}}
FROM chart_buckets
WHERE resolution = {resolution:String} AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket <= toDateTime({to_time:UInt32}, 'UTC')
ORDER BY bucket
LIMIT 1 BY bucket
