-- name:    query_native_transfers
-- serves:  queryStats
-- returns: one row per time bucket and key (as requested) with the requested statistics; the largest first if the request ranks
--          them. Only blocks with stored internal calls are complete, so the caller checks that all blocks have them
-- reads:   transactions and internal_calls by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, nothing, sender, recipient, kind, value
    FROM
    (
        SELECT block_number, timestamp, '' AS nothing, from AS sender, ifNull({{recipient}}, toFixedString('', 20)) AS recipient,
            'transaction' AS kind, value
        FROM transactions FINAL
        WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}} AND {{moved_coin}} > 0
        SETTINGS do_not_merge_across_partitions_select_final = 1
        UNION ALL
        SELECT block_number, timestamp, '' AS nothing, from AS sender, ifNull(to, toFixedString('', 20)) AS recipient, toString(type) AS kind, value
        FROM internal_calls FINAL
        WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}} AND error = '' AND value > 0
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
    WHERE 1 {{asked_native_transfers}}
)}}
