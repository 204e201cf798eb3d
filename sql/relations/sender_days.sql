-- Days with transactions of senders, and their first and last day before {window_day}. The argument is a subquery of distinct pairs
-- of address and day from that day on. grain: one row per sender: sorted days, first and last day before (1970: none).
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
