-- name:    query_internal_creations
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | creators Array(String) 40 hex digits each: contracts
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked. Only traced blocks have
--          rows, so the caller checks that all blocks are traced
-- reads:   internal_calls by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS creator
    FROM internal_calls FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        AND type IN ('create', 'create2') AND error = '' AND isNotNull(to)
        /*?creators:*/ AND from IN {{asked_addresses(creators)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
