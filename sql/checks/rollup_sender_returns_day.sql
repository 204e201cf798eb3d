-- name:    rollup_sender_returns_day
-- serves:  verify
-- params:  through: end of the days to check, Unix seconds
-- returns: one row if sender_returns (senders by day and previous active day) differs from a recount of transactions
-- reads:   transactions, sender_returns
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    sent AS
    (
        SELECT DISTINCT transactions.from AS address, toStartOfDay(timestamp) AS day FROM transactions
        WHERE final = 1 AND timestamp < toDateTime({through:UInt32}, 'UTC') AND {{visible}}
    ),
    counted AS
    (
        SELECT day, previous_day, toUInt8(previous_day = first_day AND previous_day != toDateTime(0, 'UTC')) AS was_new, count() AS total
        FROM
        (
            SELECT day, lagInFrame(day) OVER (PARTITION BY address ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS previous_day,
                min(day) OVER (PARTITION BY address) AS first_day
            FROM sent
        )
        GROUP BY day, previous_day, was_new
    ),
    expected AS (SELECT count() AS rows, sum(cityHash64(day, previous_day, was_new, total)) AS digest FROM counted),
    stored AS (SELECT count() AS rows, sum(cityHash64(day, previous_day, was_new, sender_count)) AS digest FROM sender_returns FINAL
        WHERE day < toDateTime({through:UInt32}, 'UTC'))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
