-- name:    query_transactions
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | methods Array(String) | types Array(UInt8) | outcome UInt8 1 success, 0 failure | least UInt256 | most UInt256 value, wei
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   transactions by primary key, only the columns that are named
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS sender, ifNull({{recipient}}, toFixedString('', 20)) AS recipient,
        if(to IS NULL, '', substring(input, 1, 4)) AS method, type, ifNull(status, 1) AS outcome, value, fee, gas_used, gas_price
    FROM transactions FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        {{asked_transactions(if(to IS NULL, '', substring(input, 1, 4)))}}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
