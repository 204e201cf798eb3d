-- Statistics of blocks for charts: one row per {period} (week, month or year) with at least one day. @source stands for a
-- subquery of the statistics of days. Percentiles are null, because they can't be added up.
SELECT {{period_start(days.bucket)}} AS bucket,
    min(days.first_block) AS first_block, max(days.last_block) AS last_block, sum(days.block_count) AS block_count,
    sum(days.empty_block_count) AS empty_block_count, sum(days.gas_used) AS gas_used, sum(days.gas_limit) AS gas_limit,
    sum(days.fees) AS fees, sum(days.burned) AS burned, sum(days.block_bytes) AS block_bytes, sum(days.log_count) AS log_count,
    sum(days.interval_count) AS interval_count, sum(days.interval_seconds) AS interval_seconds, max(days.interval_max) AS interval_max,
    CAST(NULL, 'Nullable(UInt64)') AS interval_p95, max(days.peak_tps_milli) AS peak_tps_milli,
    sum(days.transaction_count) AS transaction_count, sum(days.failed_count) AS failed_count, sum(days.failed_gas_used) AS failed_gas_used,
    sum(days.failed_fees) AS failed_fees, sum(days.creation_count) AS creation_count, sum(days.call_count) AS call_count,
    sum(days.plain_count) AS plain_count, sum(days.authorization_count) AS authorization_count,
    sum(days.native_transfer_count) AS native_transfer_count, sum(days.native_value) AS native_value,
    CAST(NULL, 'Nullable(UInt256)') AS value_p50, CAST(NULL, 'Nullable(UInt256)') AS value_p99,
    sum(days.gas_price_sum) AS gas_price_sum, min(days.gas_price_min) AS gas_price_min, max(days.gas_price_max) AS gas_price_max,
    CAST(NULL, 'Nullable(UInt256)') AS gas_price_p50, CAST(NULL, 'Nullable(UInt256)') AS gas_price_p90, CAST(NULL, 'Nullable(UInt256)') AS gas_price_p99,
    CAST(NULL, 'Nullable(UInt256)') AS fee_p50, CAST(NULL, 'Nullable(UInt256)') AS fee_p90, CAST(NULL, 'Nullable(UInt256)') AS fee_p99,
    sum(days.token_transfer_count) AS token_transfer_count, sum(days.erc20_transfer_count) AS erc20_transfer_count,
    sum(days.user_op_count) AS user_op_count
FROM @source AS days
GROUP BY bucket
