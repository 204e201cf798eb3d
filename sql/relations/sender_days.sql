-- On which days senders sent, and what is known of them from before {window_day}. The argument is a subquery of addresses and
-- days from that day on, each pair once. grain: one row a sender: its days in order, its first and its last day before (1970: none).
SELECT address, arraySort(groupArray(day)) AS days, any(earlier.known.1) AS first_known, any(earlier.known.2) AS last_known
FROM (@source) AS now
LEFT JOIN
(
    SELECT address, {{sender_known}}
    FROM sender_last_days
    WHERE address IN (SELECT address FROM (@source))
    GROUP BY address
) AS earlier USING (address)
GROUP BY address
