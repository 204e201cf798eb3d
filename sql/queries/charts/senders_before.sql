-- name:    senders_before
-- serves:  getChart, getLine
-- params:  addresses Array(String) hex digits of 20 bytes each | window_day UInt32 Unix seconds
-- returns: first and last day of each that had sent before that day; of who had not the last day is 1970, or there is no row
-- reads:   sender_last_days at the addresses
-- budget:  20 s, 512 MiB, 10_000 rows
SELECT address, known.1 AS first_known, known.2 AS last_known
FROM
(
    SELECT address, {{sender_known}}
    FROM sender_last_days
    WHERE address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
    GROUP BY address
)
