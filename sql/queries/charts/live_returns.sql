-- name:    live_returns
-- serves:  getChart, getLine
-- params:  from_block: first block after the days with stored figures
--          | window_day: start of the first day without stored figures, Unix seconds
-- returns: number of senders per day that is not stored yet, previous active day (0: none) and was_new (1: the previous day was
--          their first)
-- reads:   transactions after the days with stored figures, sender_last_days for the addresses found
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32(day) AS day_time, toUInt32(previous_day) AS previous_time, was_new, sender_count
FROM ({{returns_of_senders({{sender_days((
    SELECT DISTINCT transactions.from AS address, toStartOfDay(timestamp) AS day FROM transactions
        WHERE block_number >= {from_block:UInt64} AND {{visible}}))}})}})
