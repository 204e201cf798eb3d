-- Number of senders by day, by the previous day on which they sent a transaction, and by whether that previous day was their
-- first one (was_new). @source stands for a subquery with the columns of fragment sender_days.
SELECT step.1 AS day, step.2 AS previous_day, step.3 AS was_new, count() AS sender_count
FROM
(
    SELECT arrayMap((day, i) -> (
            day,
            if(i = 1, last_known, days[i - 1]),
            toUInt8(if(i = 1, last_known != toDateTime(0, 'UTC') AND last_known = first_known, last_known = toDateTime(0, 'UTC') AND i = 2))),
        days, arrayEnumerate(days)) AS steps
    FROM (@source)
)
ARRAY JOIN steps AS step
GROUP BY day, previous_day, was_new
