-- name:    query_blocks
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   blocks by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, miner AS producer, toUInt256(gas_used) AS gas_used, toUInt256(gas_limit) AS gas_limit,
        base_fee_per_gas AS base_fee, burned, fees, size,
        toUInt64(transaction_count) AS transactions, toUInt64(log_count) AS logs,
        ifNull(blob_gas_used, 0) AS blob_gas, burned - ifNull(base_fee_per_gas, 0) * gas_used AS blob_fees
    FROM blocks FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?producers:*/ AND miner IN {{asked_addresses(producers)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
