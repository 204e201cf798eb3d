-- name:    rollup_chart_hour
-- serves:  verify
-- params:  snapshot | hour_through UInt32 Unix seconds | bucket_seconds UInt32
-- returns: one row when closed buckets differ from a recount of rows; no row means sound
-- reads:   blocks, transactions, logs, chart_buckets
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest FROM (SELECT bucket, {{bucket_columns}} FROM ({{bucket_stats(final = 1 AND timestamp < toDateTime({hour_through:UInt32}, 'UTC') AND {{visible}})}}))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest FROM (SELECT bucket, {{bucket_columns}} FROM chart_buckets FINAL WHERE resolution = 'hour' AND bucket < toDateTime({hour_through:UInt32}, 'UTC')))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
