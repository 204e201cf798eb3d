-- name:    recurring_senders
-- serves:  getChart, getLine
-- params:  snapshot | period String day, week, month or year | within_days UInt32 | from_time UInt32 | to_time UInt32 days to look at, both inclusive
--          | from_block UInt64 first block of no closed day | day_through UInt32 Unix seconds | window_day UInt32 the same
-- returns: one row per period: senders who had sent in the within_days days before it too
-- reads:   sender_returns of these days; transactions since the last closed day, sender_last_days at the keys found
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{chart_period(day)}}) AS time, toString(sum(sender_count)) AS total
FROM ({{sender_returns_to_head}})
WHERE previous_day < {{chart_period(day)}} AND previous_day >= {{chart_period(day)}} - {within_days:UInt32} * 86400
GROUP BY time
