-- name:    active_periods_live
-- serves:  getChart, getLine
-- params:  from_block: first block after the days with stored figures
-- returns: number of distinct active addresses, per role (such as sender) and period without a stored number
-- reads:   actor_days: stored days of these periods; block_figures of later blocks
-- budget:  20 s, 2048 MiB, 10_000 rows
SELECT toUInt32(bucket) AS time, kind AS kind_name, uniqExact(address) AS active_count
FROM
(
    SELECT {{period_start(day)}} AS bucket, kind, address FROM actor_days
    WHERE day >= {{period_start(toDateTime({day_through:UInt32}, 'UTC'))}} AND day < toDateTime({day_through:UInt32}, 'UTC')
    UNION ALL
    SELECT {{period_start(timestamp)}} AS bucket, kind, address FROM ({{actor_rows(block_number >= {from_block:UInt64} AND {{visible}})}})
)
GROUP BY bucket, kind
ORDER BY kind, bucket
