-- name:    recent_activity
-- serves:  getStats, listCounters
-- params:  snapshot | day_block UInt64 no block of the 24 hours is below it | day_time UInt32 Unix seconds, their start, exclusive | pace_block UInt64
-- returns: one row; transactions and fees behind day_time; pace of the blocks behind pace_block, whose own time is its start
-- reads:   blocks by key: a few columns
-- budget:  10 s, 512 MiB, 1 row
SELECT
    toString(sumIf(transaction_count, time > {day_time:UInt32})) AS transactions_24h, toString(sumIf(fees, time > {day_time:UInt32})) AS fees_24h,
    toString(sumIf(transaction_count, block_number > {pace_block:UInt64})) AS recent_transactions,
    toString(countIf(block_number > {pace_block:UInt64})) AS recent_blocks,
    max(time) AS last_time, minIf(time, block_number >= {pace_block:UInt64}) AS first_time
FROM
(
    SELECT block_number, toUInt32(timestamp) AS time, transaction_count, fees FROM blocks
    WHERE block_number >= least({day_block:UInt64}, {pace_block:UInt64}) AND {{visible}} LIMIT 1 BY block_number
)
