-- Days on which senders sent transactions: one row per sender with its sorted days, and its first and last day before
-- {window_day} (1970: none). @source stands for a subquery of distinct pairs of address and day, from {window_day} on.
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
