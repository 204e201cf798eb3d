-- name:    recurring_senders
-- serves:  getChart, getLine
-- returns: number of senders per stored period that also sent in the within_days days before the period
-- reads:   sender_returns of these days
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32({{chart_period(day)}}) AS time, toString(sum(sender_count)) AS total
FROM ({{closed_returns}})
WHERE previous_day < {{chart_period(day)}} AND previous_day >= {{chart_period(day)}} - {within_days:UInt32} * 86400
GROUP BY time
