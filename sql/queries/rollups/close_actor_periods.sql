-- name:    close_actor_periods
-- serves:  rollups
-- returns: nothing; writes actor_buckets (active addresses by role) for the periods that ended with these days
-- reads:   actor_days and actor_buckets: days of these periods
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO actor_buckets (resolution, bucket, kind, active_count, new_count)
SELECT {period:String} AS resolution, bucket, kind, active_count, new_count
FROM
(
    SELECT {{period_start(day)}} AS bucket, kind, uniqExact(address) AS active_count
    FROM actor_days
    WHERE day >= {{period_start(toDateTime({from_time:UInt32}, 'UTC'))}} AND day < {{period_start(toDateTime({end_time:UInt32}, 'UTC'))}}
    GROUP BY bucket, kind
) AS active
LEFT JOIN
(
    SELECT {{period_start(days.bucket)}} AS bucket, kind, sum(days.new_count) AS new_count
    FROM
    (
        SELECT bucket, kind, new_count FROM actor_buckets
        WHERE resolution = 'day' AND bucket >= {{period_start(toDateTime({from_time:UInt32}, 'UTC'))}}
          AND bucket < {{period_start(toDateTime({end_time:UInt32}, 'UTC'))}}
        LIMIT 1 BY bucket, kind
    ) AS days
    GROUP BY bucket, kind
) AS fresh USING (bucket, kind)
