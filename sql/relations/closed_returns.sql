-- Stored counts of senders from day {from_time} to day {to_time}: the senders of each day, divided by the previous day on which they
-- sent a transaction (previous_day), and by whether they had never sent one before that previous day (was_new).
SELECT day, previous_day, was_new, sender_count FROM sender_returns
WHERE day >= toDateTime({from_time:UInt32}, 'UTC') AND day <= toDateTime({to_time:UInt32}, 'UTC') AND day < toDateTime({day_through:UInt32}, 'UTC')
LIMIT 1 BY day, previous_day, was_new
