-- name:    close_sender_days
-- serves:  rollups
-- params:  to_block: last block of the complete days that start at from_block
-- returns: nothing; writes sender_last_days: first and last active day of each sender. Must run after close_sender_returns,
--          which needs the previous values
-- reads:   transactions by primary key, sender_last_days for the addresses found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO sender_last_days (address, first_day, last_day, day_before_window, window_day)
SELECT address, if(last_known = toDateTime(0, 'UTC'), days[1], first_known) AS first_day, days[-1] AS last_day, last_known AS day_before_window,
    toDateTime({window_day:UInt32}, 'UTC') AS window_day
FROM ({{sender_days((
    SELECT DISTINCT transactions.from AS address, toStartOfDay(timestamp) AS day FROM transactions
        WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}))}})
