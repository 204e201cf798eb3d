-- name:    chain_totals
-- serves:  getStats
-- params:  snapshot | day_through UInt32 | hour_through UInt32 Unix seconds
-- returns: one row; totals over everything visible: closed days, closed hours behind them, rows behind those
-- reads:   chart_buckets; blocks, transactions and logs since the last closed hour
-- budget:  20 s, 2048 MiB, 1 row
WITH
    (SELECT if(count() = 0, 0, max(last_block) + 1) FROM chart_buckets WHERE resolution = 'hour' AND bucket < toDateTime({hour_through:UInt32}, 'UTC')) AS live_from
SELECT
    toUInt64(sum(blocks)) AS blocks, toUInt64(sum(transactions)) AS transactions, toUInt64(sum(failed)) AS failed, toUInt64(sum(contracts)) AS contracts,
    toUInt64(sum(logs)) AS logs, toUInt64(sum(native_transfers)) AS native_transfers, toUInt64(sum(token_transfers)) AS token_transfers,
    toUInt64(sum(gas_used)) AS gas_used, toString(sum(fees)) AS fees
FROM
(
    SELECT block_count AS blocks, transaction_count AS transactions, failed_count AS failed, creation_count AS contracts, log_count AS logs,
        native_transfer_count AS native_transfers, token_transfer_count AS token_transfers, gas_used, fees
    FROM chart_buckets
    WHERE (resolution = 'day' AND bucket < toDateTime({day_through:UInt32}, 'UTC'))
       OR (resolution = 'hour' AND bucket >= toDateTime({day_through:UInt32}, 'UTC') AND bucket < toDateTime({hour_through:UInt32}, 'UTC'))
    LIMIT 1 BY resolution, bucket
    UNION ALL
    SELECT 1, transaction_count, 0, 0, log_count, 0, 0, gas_used, fees
    FROM blocks WHERE block_number >= live_from AND {{visible}} LIMIT 1 BY block_number
    UNION ALL
    SELECT 0, 0, status = 0, contract_address IS NOT NULL AND ifNull(status, 1) = 1, 0, value > 0 AND ifNull(status, 1) = 1, 0, 0, 0
    FROM transactions WHERE block_number >= live_from AND {{visible}} LIMIT 1 BY block_number, tx_index
    UNION ALL
    SELECT 0, 0, 0, 0, 0, 0, 1, 0, 0
    FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE block_number >= live_from AND {{visible}} LIMIT 1 BY block_number, log_index))}})
)
