-- name:    churned_senders
-- serves:  getChart, getLine
-- params:  period String day, week, month or year | within_days UInt32 | from_time UInt32 | to_time UInt32 days, both inclusive
--          | day_through UInt32 end of the days with stored figures, Unix seconds
-- returns: one row per period, for days with stored figures: number of senders whose last transaction became within_days days old
--          in the period
-- reads:   sender_returns of these days
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{chart_period(step.1)}}) AS time, toString(sum(step.2)) AS total
FROM ({{closed_returns}})
ARRAY JOIN
[
    (day + {within_days:UInt32} * 86400, toInt64(sender_count)),
    (previous_day + {within_days:UInt32} * 86400,
        if(previous_day > toDateTime(0, 'UTC') AND day <= previous_day + {within_days:UInt32} * 86400, -toInt64(sender_count), toInt64(0)))
] AS step
WHERE step.1 <= toDateTime({to_time:UInt32}, 'UTC')
GROUP BY time
