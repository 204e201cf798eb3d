-- name:    close_subjects
-- serves:  rollups
-- params:  to_block: last block of the complete buckets that start at from_block
-- returns: nothing; writes subject_buckets: blocks by producer, transactions by method, received value by address (not for
--          5min), transfers by token
-- reads:   blocks, transactions, logs by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO subject_buckets (resolution, measure, subject, bucket, amount)
SELECT {resolution:String} AS resolution, measure, subject, {{bucket_start}} AS bucket, sum(amount) AS amount
FROM
(
    SELECT measure, subject, timestamp, amount
    FROM ({{subject_amounts(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
    WHERE measure != 'received_value' OR {resolution:String} != '5min'
    UNION ALL
    SELECT 'token_transfers' AS measure, token AS subject, timestamp, toInt256(1) AS amount FROM ({{token_transfers_of_finalized_logs}})
)
GROUP BY measure, subject, bucket
