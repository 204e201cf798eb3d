-- Stored numbers of senders on days from {from_time} to {to_time}: one row per day, previous day on which these senders sent a
-- transaction, and whether that was their first day.
SELECT day, previous_day, was_new, sender_count FROM sender_returns
WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day <= toDateTime({to_time:UInt32}, 'UTC') AND day < toDateTime({day_through:UInt32}, 'UTC')
LIMIT 1 BY day, previous_day, was_new
