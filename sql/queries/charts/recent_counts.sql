-- name:    recent_counts
-- serves:  listCounters
-- params:  yesterday: Unix seconds: start of the day before head_time's day
-- returns: one row: transactions, fees in wei and created contracts of the 24 hours before head_time; transactions of the day
--          before
-- reads:   blocks and transactions by primary key, from the day before on
-- budget:  10 s, 1024 MiB, 1 row
SELECT countIf(timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400) AS transactions_24h,
    toString(sumIf(fee, timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400)) AS fees_24h,
    countIf(timestamp > toDateTime({head_time:UInt32}, 'UTC') - 86400 AND contract_address IS NOT NULL AND ifNull(status, 1) = 1) AS contracts_24h,
    countIf(timestamp >= toDateTime({yesterday:UInt32}, 'UTC') AND timestamp < toDateTime({yesterday:UInt32}, 'UTC') + 86400) AS yesterday_transactions
FROM
(
    SELECT block_number, tx_index, timestamp, fee, contract_address, status FROM transactions
    WHERE {{visible}} AND block_number >=
        (SELECT ifNull(min(block_number), 0)
            FROM (SELECT block_number FROM blocks WHERE {{visible}} AND timestamp >= toDateTime({yesterday:UInt32}, 'UTC') ORDER BY block_number LIMIT 1))
    LIMIT 1 BY block_number, tx_index
)
