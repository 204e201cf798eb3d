-- name:    query_transactions
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   transactions by primary key, only the named columns
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS sender, {{reached_account}} AS recipient,
        if(to IS NULL OR length(input) < 4, '', substring(input, 1, 4)) AS method, type, ifNull(status, 1) AS outcome, value, fee, gas_used, gas_price
    FROM transactions FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        {{asked_transactions(if(to IS NULL OR length(input) < 4, '', substring(input, 1, 4)))}}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
