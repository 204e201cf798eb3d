-- Stored counts of senders per day, from {from_time} to {to_time}, by the previous day on which they sent a transaction
-- (previous_day), and by whether previous_day was their first such day (was_new).
SELECT day, previous_day, was_new, sender_count FROM sender_returns
WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day <= toDateTime({to_time:UInt32}, 'UTC') AND day < toDateTime({day_through:UInt32}, 'UTC')
LIMIT 1 BY day, previous_day, was_new
