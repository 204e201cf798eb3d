-- name:    audit_days
-- serves:  pipeline
-- returns: one row: number of transactions on all stored days, from chart_buckets and from block headers; last block of these
--          days
-- reads:   chart_buckets by primary key, blocks
-- budget:  300 s, 1024 MiB, 1 row
SELECT
    (SELECT sum(transaction_count) FROM chart_buckets FINAL WHERE resolution = 'day' AND bucket < toDateTime({day_through:UInt32}, 'UTC')) AS charted,
    toUInt64(sum(transaction_count)) AS counted, max(block_number) AS last_block
FROM (SELECT block_number, transaction_count FROM blocks FINAL WHERE final = 1 AND timestamp < toDateTime({day_through:UInt32}, 'UTC'))
