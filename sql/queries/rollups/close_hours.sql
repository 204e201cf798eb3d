-- name:    close_hours
-- serves:  rollups
-- params:  bucket_seconds UInt32 | from_block UInt64 | to_block UInt64 both inclusive, whole hours
-- returns: nothing; writes stats_hourly
-- reads:   blocks, transactions, logs by key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO stats_hourly
(bucket, first_block, last_block, block_count, transaction_count, failed_count, creation_count, native_transfer_count,
 native_value, log_count, token_transfer_count, gas_used, gas_limit, fees, burned, block_bytes, sender_count)
{{bucket_stats(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}}
