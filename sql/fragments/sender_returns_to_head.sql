-- Returns of senders on days from {from_time} to {to_time}: closed days as stored, later ones from rows.
-- grain: one row a day, the day before it and whether that one was the first; rows of both parts never share a day.
SELECT day, previous_day, was_new, sender_count
FROM
(
    SELECT day, previous_day, was_new, sender_count FROM sender_returns
    WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day < toDateTime(least({day_through:UInt32}, {to_time:UInt32} + 1), 'UTC')
    LIMIT 1 BY day, previous_day, was_new
)
UNION ALL
SELECT day, previous_day, was_new, sender_count
FROM ({{returns_of_senders({{sender_days((
    SELECT DISTINCT transactions.from AS address, toStartOfDay(timestamp) AS day FROM transactions WHERE block_number >= {from_block:UInt64} AND {{visible}}))}})}})
WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day <= toDateTime({to_time:UInt32}, 'UTC')
