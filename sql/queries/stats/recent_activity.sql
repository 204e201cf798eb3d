-- name:    recent_activity
-- serves:  getStats
-- params:  snapshot
-- returns: one row; pace of the last 100 blocks, and transactions and fees of the 24 hours before the head's time
-- reads:   blocks: a few columns
-- budget:  10 s, 512 MiB, 1 row
WITH (SELECT max(timestamp) FROM blocks WHERE {{visible}}) AS newest
SELECT
    toUInt32(newest) AS head_time,
    toUInt64(sum(transaction_count)) AS transactions_24h, toString(sum(fees)) AS fees_24h,
    toUInt64(sumIf(transaction_count, block_number > {head:UInt64} - least({head:UInt64}, 100))) AS recent_transactions,
    toUInt64(countIf(block_number > {head:UInt64} - least({head:UInt64}, 100))) AS recent_blocks,
    toUInt32(maxIf(timestamp, block_number > {head:UInt64} - least({head:UInt64}, 100)))
        - toUInt32(minIf(timestamp, block_number >= {head:UInt64} - least({head:UInt64}, 100))) AS recent_seconds
FROM (SELECT block_number, timestamp, transaction_count, fees FROM blocks WHERE {{visible}} AND timestamp > newest - 86400 LIMIT 1 BY block_number)
