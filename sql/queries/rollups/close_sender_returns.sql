-- name:    close_sender_returns
-- serves:  rollups
-- params:  to_block: last block of the complete days that start at from_block
-- returns: nothing; writes sender_returns: number of senders by day, by previous active day, and by whether the previous day
--          was their first one
-- reads:   transactions by primary key, sender_last_days for the addresses found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO sender_returns (day, previous_day, was_new, sender_count)
{{returns_of_senders({{sender_days((
    SELECT DISTINCT transactions.from AS address, toStartOfDay(timestamp) AS day FROM transactions
        WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}))}})}}
