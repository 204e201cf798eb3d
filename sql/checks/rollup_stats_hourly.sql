-- name:    rollup_stats_hourly
-- serves:  verify
-- params:  snapshot | hour_through UInt32 Unix seconds | bucket_seconds UInt32
-- returns: one row when closed buckets differ from a recount of rows; no row means sound
-- reads:   blocks, transactions, logs, stats_hourly
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest FROM (SELECT bucket, first_block, last_block, block_count, transaction_count, failed_count, creation_count, native_transfer_count, native_value, log_count, token_transfer_count, gas_used, gas_limit, fees, burned, block_bytes, sender_count FROM ({{bucket_stats(final = 1 AND timestamp < toDateTime({hour_through:UInt32}, 'UTC') AND {{visible}})}}))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest FROM (SELECT bucket, first_block, last_block, block_count, transaction_count, failed_count, creation_count, native_transfer_count, native_value, log_count, token_transfer_count, gas_used, gas_limit, fees, burned, block_bytes, sender_count FROM stats_hourly FINAL WHERE bucket < toDateTime({hour_through:UInt32}, 'UTC')))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
