-- name:    live_blocks
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block, lowest first: all that it adds to figures
-- reads:   block_figures by key, and the block before the first
-- budget:  20 s, 1024 MiB, 250_001 rows
SELECT block_number, timestamp, block_count, empty_block_count, gas_used, gas_limit, fees, burned, block_bytes, log_count,
    interval_count, interval_seconds, interval_max, peak_tps_milli, gas_price_min, gas_price_max,
    transaction_count, failed_count, failed_gas_used, failed_fees, creation_count, call_count, plain_count, authorization_count,
    native_transfer_count, native_value, gas_price_sum, token_transfer_count, erc20_transfer_count, user_op_count,
    interval_samples, value_samples, gas_price_samples, fee_samples, actor_kinds, actors
FROM ({{paced_figures((
    SELECT *, block_number >= {from_block:UInt64} AS is_own FROM block_figures
    WHERE block_number + 1 >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}} LIMIT 1 BY block_number))}})
ORDER BY block_number
