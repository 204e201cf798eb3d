-- name:    close_periods
-- serves:  rollups
-- returns: nothing; writes chart_buckets (statistics of blocks) for the periods that ended with these days
-- reads:   chart_buckets: days of these periods
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO chart_buckets (resolution, bucket,
{{bucket_columns}})
SELECT {period:String} AS resolution, bucket,
{{bucket_columns}}
FROM
({{period_stats((SELECT * FROM chart_buckets WHERE resolution = 'day' AND bucket >= {{period_start(toDateTime({from_time:UInt32}, 'UTC'))}}
    AND bucket < {{period_start(toDateTime({end_time:UInt32}, 'UTC'))}} LIMIT 1 BY bucket))}})
