-- Recomputes the sums in subject_buckets, such as transactions of a method or transfers of a token, per time bucket before
-- {through}. Compares holder counts per token only at {through}.
-- Returns one row if the result differs from the stored rows of {resolution}, else no row.
WITH
    transfers AS ({{token_transfers_of_logs((SELECT * FROM logs WHERE final = 1 AND timestamp < toDateTime({through:UInt32}, 'UTC') AND {{visible}}
        LIMIT 1 BY block_number, log_index))}}),
    counted AS
    (
        SELECT measure, subject, {{bucket_start}} AS bucket, sum(amount) AS total
        FROM
        (
            SELECT measure, subject, timestamp, amount FROM ({{subject_amounts(final = 1 AND timestamp < toDateTime({through:UInt32}, 'UTC') AND {{visible}})}})
            UNION ALL
            SELECT 'token_transfers' AS measure, token AS subject, timestamp, toInt256(1) AS amount FROM transfers
        )
        GROUP BY measure, subject, bucket
        UNION ALL
        SELECT 'token_holders' AS measure, token AS subject, toDateTime(0, 'UTC') AS bucket, toInt256(count()) AS total
        FROM (SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts FROM ({{token_deltas(SELECT * FROM transfers)}})
            GROUP BY token, standard, holder HAVING {{is_held_of_parts(parts)}})
        GROUP BY token
    ),
    kept AS
    (
        SELECT toString(measure) AS measure, subject, if(measure = 'token_holders', toDateTime(0, 'UTC'), bucket) AS bucket, sum(amount) AS total
        FROM (SELECT measure, subject, bucket, amount FROM subject_buckets FINAL
            WHERE resolution = {resolution:String} AND bucket < toDateTime({through:UInt32}, 'UTC'))
        GROUP BY measure, subject, bucket
        HAVING total != 0
    ),
    expected AS (SELECT count() AS rows, sum(cityHash64(measure, subject, bucket, toString(total))) AS digest FROM counted),
    stored AS (SELECT count() AS rows, sum(cityHash64(measure, subject, bucket, toString(total))) AS digest FROM kept)
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
