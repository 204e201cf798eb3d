-- Number of senders on closed days from {from_time} to {to_time}, by the previous day on which they sent a transaction.
-- grain: one row per day, previous day, and whether the previous day was the sender's first.
SELECT day, previous_day, was_new, sender_count FROM sender_returns
WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day <= toDateTime({to_time:UInt32}, 'UTC') AND day < toDateTime({day_through:UInt32}, 'UTC')
LIMIT 1 BY day, previous_day, was_new
