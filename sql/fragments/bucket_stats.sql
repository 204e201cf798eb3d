-- Figures by time bucket over the rows that the argument selects, a condition on final and block_number.
-- grain: one row a bucket of {bucket_seconds} with at least one block; written into chart_buckets when the bucket is closed,
-- and read live for what lies behind the last closed one. Rows that are not merged yet count once. The block before the
-- first one is read too, for its time: all below the selected blocks is final.
SELECT bucket,
{{bucket_columns}}
FROM
(
    SELECT
        {{bucket_start}} AS bucket, min(number) AS first_block, max(number) AS last_block,
        count() AS block_count, countIf(transactions = 0) AS empty_block_count,
        sum(used) AS gas_used, sum(limit) AS gas_limit, sum(paid) AS fees, sum(burnt) AS burned, sum(size) AS block_bytes, sum(logs) AS log_count,
        count(interval) AS interval_count, sum(ifNull(interval, 0)) AS interval_seconds, max(ifNull(interval, 0)) AS interval_max,
        if(count(interval) = 0, NULL, quantileExact(0.95)(assumeNotNull(interval))) AS interval_p95,
        max(intDiv(toUInt64(transactions) * 1000, greatest(ifNull(interval, 1), 1))) AS peak_tps_milli
    FROM
    (
        SELECT block_number AS number, timestamp, transaction_count AS transactions, gas_used AS used, gas_limit AS limit, fees AS paid, burned AS burnt,
            size, log_count AS logs, is_own,
            if(lagInFrame(toNullable(block_number)) OVER before = block_number - 1,
               toUInt64(toUInt32(timestamp) - toUInt32(lagInFrame(timestamp) OVER before)), NULL) AS interval
        FROM
        (
            SELECT block_number, timestamp, transaction_count, gas_used, gas_limit, fees, burned, size, log_count, (@source) AS is_own
            FROM blocks
            WHERE block_number + 1 >= (SELECT min(block_number) FROM blocks WHERE @source) -- the key is used by this alone
              AND ((@source) OR (final = 1 AND block_number + 1 = (SELECT min(block_number) FROM blocks WHERE @source)))
            ORDER BY is_own DESC
            LIMIT 1 BY block_number
        )
        WINDOW before AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
    )
    WHERE is_own
    GROUP BY bucket
) AS by_block
LEFT JOIN
(
    SELECT
        {{bucket_start}} AS bucket,
        count() AS transaction_count, countIf(status = 0) AS failed_count,
        sumIf(gas_used, status = 0) AS failed_gas_used, sumIf(fee, status = 0) AS failed_fees,
        countIf(contract_address IS NOT NULL AND ifNull(status, 1) = 1) AS creation_count,
        countIf(input_bytes >= 4 AND to IS NOT NULL) AS call_count, countIf(input_bytes = 0 AND to IS NOT NULL) AS plain_count,
        sum(toUInt64(authorizations)) AS authorization_count,
        countIf(value > 0 AND ifNull(status, 1) = 1) AS native_transfer_count, sumIf(value, ifNull(status, 1) = 1) AS native_value,
        quantilesExactIf(0.5, 0.99)(value, value > 0 AND ifNull(status, 1) = 1) AS values,
        if(native_transfer_count = 0, NULL, values[1]) AS value_p50, if(native_transfer_count = 0, NULL, values[2]) AS value_p99,
        sum(gas_price) AS gas_price_sum, toNullable(min(gas_price)) AS gas_price_min, toNullable(max(gas_price)) AS gas_price_max,
        quantilesExact(0.5, 0.9, 0.99)(gas_price) AS prices, quantilesExact(0.5, 0.9, 0.99)(fee) AS paid,
        toNullable(prices[1]) AS gas_price_p50, toNullable(prices[2]) AS gas_price_p90, toNullable(prices[3]) AS gas_price_p99,
        toNullable(paid[1]) AS fee_p50, toNullable(paid[2]) AS fee_p90, toNullable(paid[3]) AS fee_p99
    FROM
    (
        SELECT block_number, tx_index, timestamp, status, contract_address, value, gas_used, gas_price, fee, to,
            length(input) AS input_bytes, authorization_count AS authorizations
        FROM transactions WHERE @source LIMIT 1 BY block_number, tx_index
    )
    GROUP BY bucket
) AS by_transaction USING (bucket)
LEFT JOIN
(
    SELECT {{bucket_start}} AS bucket, count() AS token_transfer_count, countIf(standard = 'erc20') AS erc20_transfer_count
    FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE @source LIMIT 1 BY block_number, log_index))}})
    GROUP BY bucket
) AS by_transfer USING (bucket)
LEFT JOIN
(
    SELECT {{bucket_start}} AS bucket, count() AS user_op_count
    FROM (SELECT block_number, log_index, timestamp FROM logs WHERE @source AND {{is_user_operation}} LIMIT 1 BY block_number, log_index)
    GROUP BY bucket
) AS by_operation USING (bucket)
