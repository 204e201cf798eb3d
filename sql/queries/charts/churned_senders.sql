-- name:    churned_senders
-- serves:  getChart, getLine
-- returns: number of senders per period that became inactive: their last transaction reached an age of within_days days
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
