-- name:    query_contracts
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   contract_creations, full scan
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, creator
    FROM contract_creations FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?creators:*/ AND creator IN {{asked_addresses(creators)}} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
