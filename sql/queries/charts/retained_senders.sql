-- name:    retained_senders
-- serves:  getChart, getLine
-- returns: number of new senders per period of stored days, and how many of them sent again on a later day within within_days
--          days
-- reads:   sender_returns of these days
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{chart_period(step.1)}}) AS time, toString(sum(step.2)) AS total, toString(sum(step.3)) AS retained
FROM ({{closed_returns}})
ARRAY JOIN
[
    (day, if(previous_day = toDateTime(0, 'UTC'), sender_count, 0), toUInt64(0)),
    (previous_day, toUInt64(0), if(was_new = 1 AND day <= previous_day + {within_days:UInt32} * 86400, sender_count, 0))
] AS step
GROUP BY time
