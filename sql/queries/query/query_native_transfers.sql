-- name:    query_native_transfers
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them. The caller
--          checks that the internal calls of all blocks are stored
-- reads:   transactions and internal_calls by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS sender, to AS recipient, kind, value
    FROM ({{native_transfers(block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
    WHERE 1 {{asked_native_transfers}}
)}}
