-- Statistics of blocks for charts: one row per time bucket of {bucket_seconds} that contains blocks. @source stands for a
-- condition on final and block_number.
-- Table chart_buckets has the rows of complete buckets. Requests compute the rows of later blocks. A block counts once, even if
-- ClickHouse has not merged duplicate rows.
-- Also reads the timestamp of the block before the first selected one. That block must be final.
SELECT bucket,
{{bucket_columns}}
FROM
(
    SELECT
        {{bucket_start}} AS bucket, min(block_number) AS first_block, max(block_number) AS last_block,
        sum(each.block_count) AS block_count, sum(each.empty_block_count) AS empty_block_count,
        sum(each.gas_used) AS gas_used, sum(toUInt256(each.gas_limit)) AS gas_limit, sum(each.fees) AS fees, sum(each.burned) AS burned,
        sum(each.block_bytes) AS block_bytes, sum(each.log_count) AS log_count,
        count(interval) AS interval_count, sum(ifNull(interval, 0)) AS interval_seconds, max(ifNull(interval, 0)) AS interval_max,
        max(each.peak_tps_milli) AS peak_tps_milli,
        sum(each.transaction_count) AS transaction_count, sum(each.failed_count) AS failed_count,
        sum(each.failed_gas_used) AS failed_gas_used, sum(each.failed_fees) AS failed_fees,
        sum(each.creation_count) AS creation_count, sum(each.call_count) AS call_count, sum(each.plain_count) AS plain_count,
        sum(each.authorization_count) AS authorization_count,
        sum(each.native_transfer_count) AS native_transfer_count, sum(each.native_value) AS native_value,
        sum(each.gas_price_sum) AS gas_price_sum,
        sum(each.token_transfer_count) AS token_transfer_count, sum(each.erc20_transfer_count) AS erc20_transfer_count,
        sum(each.user_op_count) AS user_op_count,
        -- percentiles can't be added up: compute them from the samples of all blocks
        quantilesExactArray(0.5, 0.99)(value_samples) AS values,
        quantilesExactArray(0.5, 0.9, 0.99)(gas_price_samples) AS prices,
        quantilesExactArray(0.5, 0.9, 0.99)(fee_samples) AS paid,
        quantileExact(0.95)(interval) AS interval_p95,
        if(native_transfer_count = 0, NULL, values[1]) AS value_p50, if(native_transfer_count = 0, NULL, values[2]) AS value_p99,
        if(transaction_count = 0, NULL, minArray(gas_price_samples)) AS gas_price_min,
        if(transaction_count = 0, NULL, maxArray(gas_price_samples)) AS gas_price_max,
        if(transaction_count = 0, NULL, prices[1]) AS gas_price_p50, if(transaction_count = 0, NULL, prices[2]) AS gas_price_p90,
        if(transaction_count = 0, NULL, prices[3]) AS gas_price_p99,
        if(transaction_count = 0, NULL, paid[1]) AS fee_p50, if(transaction_count = 0, NULL, paid[2]) AS fee_p90,
        if(transaction_count = 0, NULL, paid[3]) AS fee_p99
    FROM ({{paced_figures((
        SELECT *, (@source) AS is_own FROM block_figures
        WHERE block_number + 1 >= (SELECT min(block_number) FROM block_figures WHERE @source) -- for the primary key
          AND ((@source) OR (final = 1 AND block_number + 1 = (SELECT min(block_number) FROM block_figures WHERE @source)))
        ORDER BY is_own DESC
        LIMIT 1 BY block_number))}}) AS each
    GROUP BY bucket
)
