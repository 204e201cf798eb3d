-- Recomputes the statistics of blocks per time bucket before {through}. Returns one row if the result differs from the rows of
-- {resolution} in chart_buckets, else no row.
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT bucket, {{bucket_columns}} FROM ({{bucket_stats(final = 1 AND timestamp < toDateTime({through:UInt32}, 'UTC') AND {{visible}})}}))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT bucket, {{bucket_columns}} FROM chart_buckets FINAL
        WHERE resolution = {resolution:String} AND bucket < toDateTime({through:UInt32}, 'UTC')))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
