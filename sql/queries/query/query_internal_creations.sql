-- name:    query_internal_creations
-- serves:  queryStats
-- params:  creators: 40 hex digits each: contracts
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them. The caller
--          checks that the internal calls of all blocks are stored
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
