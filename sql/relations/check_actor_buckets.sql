-- Recounts active and new addresses per role (such as sender) and time bucket before {through}. Returns one row if the result
-- differs from the rows of {resolution} in actor_buckets, else no row.
WITH
    counted AS
    (
        SELECT bucket, kind, uniqExact(address) AS active_count, uniqExactIf(address, timestamp = first_time) AS new_count
        FROM
        (
            SELECT {{bucket_start}} AS bucket, timestamp, kind, address, min(timestamp) OVER (PARTITION BY kind, address) AS first_time
            FROM ({{actor_rows(final = 1 AND timestamp < toDateTime({through:UInt32}, 'UTC') AND {{visible}})}})
        )
        GROUP BY bucket, kind
    ),
    expected AS (SELECT count() AS rows, sum(cityHash64(toString(bucket), toString(kind), active_count, new_count)) AS digest FROM counted),
    stored AS (SELECT count() AS rows, sum(cityHash64(toString(bucket), toString(kind), active_count, new_count)) AS digest FROM actor_buckets FINAL
        WHERE resolution = {resolution:String} AND bucket < toDateTime({through:UInt32}, 'UTC'))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
