-- name:    chain_totals
-- serves:  getStats
-- params:  snapshot | day_through UInt32 | hour_through UInt32 Unix seconds | bucket_seconds UInt32
-- returns: one row; totals over everything visible: closed days, closed hours behind them, rows behind those
-- reads:   stats_daily, stats_hourly; blocks, transactions and logs since the last closed hour
-- budget:  20 s, 2048 MiB, 1 row
WITH
    (SELECT max(last_block) FROM stats_hourly WHERE bucket < toDateTime({hour_through:UInt32}, 'UTC')) AS closed_to,
    (SELECT count() FROM stats_hourly WHERE bucket < toDateTime({hour_through:UInt32}, 'UTC')) AS closed_hours
SELECT
    toUInt64(sum(block_count)) AS blocks, toUInt64(sum(transaction_count)) AS transactions, toUInt64(sum(failed_count)) AS failed,
    toUInt64(sum(creation_count)) AS contracts, toUInt64(sum(log_count)) AS logs, toUInt64(sum(native_transfer_count)) AS native_transfers,
    toUInt64(sum(token_transfer_count)) AS token_transfers, toUInt64(sum(gas_used)) AS gas_used, toString(sum(fees)) AS fees
FROM
(
    SELECT block_count, transaction_count, failed_count, creation_count, log_count, native_transfer_count, token_transfer_count, gas_used, fees
    FROM stats_daily WHERE bucket < toDateTime({day_through:UInt32}, 'UTC') LIMIT 1 BY bucket
    UNION ALL
    SELECT block_count, transaction_count, failed_count, creation_count, log_count, native_transfer_count, token_transfer_count, gas_used, fees
    FROM stats_hourly
    WHERE bucket >= toDateTime({day_through:UInt32}, 'UTC') AND bucket < toDateTime({hour_through:UInt32}, 'UTC') LIMIT 1 BY bucket
    UNION ALL
    SELECT block_count, transaction_count, failed_count, creation_count, log_count, native_transfer_count, token_transfer_count, gas_used, fees
    FROM ({{bucket_stats((closed_hours = 0 OR block_number > closed_to) AND {{visible}})}})
)
