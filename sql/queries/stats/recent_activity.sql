-- name:    recent_activity
-- serves:  getStats, listCounters
-- params:  snapshot | head_time UInt32 Unix seconds of the head
-- returns: one row; pace of the last 100 blocks, and transactions and fees of the 24 hours before the head's time
-- reads:   blocks by their time: a few columns
-- budget:  10 s, 512 MiB, 1 row
SELECT
    toUInt64(sumIf(transaction_count, is_of_day)) AS transactions_24h, toString(sumIf(fees, is_of_day)) AS fees_24h,
    toUInt64(sumIf(transaction_count, block_number > {head:UInt64} - least({head:UInt64}, 100))) AS recent_transactions,
    toUInt64(countIf(block_number > {head:UInt64} - least({head:UInt64}, 100))) AS recent_blocks,
    toUInt32(maxIf(timestamp, block_number > {head:UInt64} - least({head:UInt64}, 100)))
        - toUInt32(minIf(timestamp, block_number >= {head:UInt64} - least({head:UInt64}, 100))) AS recent_seconds
FROM
(
    SELECT block_number, timestamp, transaction_count, fees, timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400 AS is_of_day
    FROM blocks
    WHERE {{visible}} AND block_number >= least(toUInt64({head:UInt64} - least({head:UInt64}, 100)),
        (SELECT min(block_number) FROM blocks WHERE timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400))
    LIMIT 1 BY block_number
)
