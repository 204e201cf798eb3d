-- name:    recurring_senders
-- serves:  getChart, getLine
-- params:  period String day, week, month or year | within_days UInt32 | from_time UInt32 | to_time UInt32 days, both inclusive
--          | day_through UInt32 end of the days with stored figures, Unix seconds
-- returns: one row per period, for days with stored figures: senders that also sent in the within_days days before the period
-- reads:   sender_returns of these days
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{chart_period(day)}}) AS time, toString(sum(sender_count)) AS total
FROM ({{closed_returns}})
WHERE previous_day < {{chart_period(day)}} AND previous_day >= {{chart_period(day)}} - {within_days:UInt32} * 86400
GROUP BY time
