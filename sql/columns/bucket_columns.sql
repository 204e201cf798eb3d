-- Columns of chart_buckets (statistics of a time bucket) after its key, in the order that all writers and readers use.
first_block, last_block, block_count, empty_block_count, gas_used, gas_limit, fees, burned, block_bytes, log_count,
    interval_count, interval_seconds, interval_max, interval_p95, peak_tps_milli,
    transaction_count, failed_count, failed_gas_used, failed_fees, creation_count, call_count, plain_count, authorization_count,
    native_transfer_count, native_value, value_p50, value_p99,
    gas_price_sum, gas_price_min, gas_price_max, gas_price_p50, gas_price_p90, gas_price_p99, fee_p50, fee_p90, fee_p99,
    token_transfer_count, erc20_transfer_count, user_op_count
