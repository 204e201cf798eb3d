-- name:    query_contracts
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | creators Array(String) 40 hex digits each
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   contract_creations, all of it
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, creator
    FROM contract_creations FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?creators:*/ AND creator IN {{asked_addresses(creators)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
