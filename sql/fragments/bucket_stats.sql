-- Figures by time bucket over the rows that the argument selects, a condition on final and block_number.
-- grain: one row a bucket of {bucket_seconds} with at least one block; written into stats_hourly and stats_daily when the
-- bucket is closed, and read live for what lies behind the last closed one. Rows that are not merged yet count once.
SELECT
    bucket, first_block, last_block, block_count, transaction_count, failed_count, creation_count, native_transfer_count,
    native_value, log_count, token_transfer_count, gas_used, gas_limit, fees, burned, block_bytes, sender_count
FROM
(
    SELECT
        toDateTime(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}, 'UTC') AS bucket,
        min(block_number) AS first_block, max(block_number) AS last_block, count() AS block_count,
        sum(log_count) AS log_count, sum(gas_used) AS gas_used, sum(gas_limit) AS gas_limit,
        sum(fees) AS fees, sum(burned) AS burned, sum(size) AS block_bytes
    FROM (SELECT * FROM blocks WHERE @source LIMIT 1 BY block_number)
    GROUP BY bucket
) AS by_block
LEFT JOIN
(
    SELECT
        toDateTime(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}, 'UTC') AS bucket,
        count() AS transaction_count, countIf(status = 0) AS failed_count,
        countIf(contract_address IS NOT NULL AND ifNull(status, 1) = 1) AS creation_count,
        countIf(value > 0 AND ifNull(status, 1) = 1) AS native_transfer_count,
        sumIf(value, ifNull(status, 1) = 1) AS native_value, uniqExact(from) AS sender_count
    FROM
    (
        SELECT block_number, tx_index, timestamp, status, contract_address, value, from
        FROM transactions WHERE @source LIMIT 1 BY block_number, tx_index
    )
    GROUP BY bucket
) AS by_transaction USING (bucket)
LEFT JOIN
(
    SELECT
        toDateTime(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}, 'UTC') AS bucket,
        count() AS token_transfer_count
    FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE @source LIMIT 1 BY block_number, log_index))}})
    GROUP BY bucket
) AS by_log USING (bucket)
