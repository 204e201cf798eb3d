-- name:    query_blocks
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | producers Array(String) 40 hex digits each
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   blocks by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, miner AS producer, gas_used, gas_limit, base_fee_per_gas AS base_fee, burned, fees, size,
        toUInt64(transaction_count) AS transactions, toUInt64(log_count) AS logs,
        ifNull(blob_gas_used, 0) AS blob_gas, burned - ifNull(base_fee_per_gas, 0) * gas_used AS blob_fees
    FROM blocks FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?producers:*/ AND miner IN {{asked_addresses(producers)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
