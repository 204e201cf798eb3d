-- name:    query_transfers
-- serves:  queryStats
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   token_transfers: by primary key if the request names tokens, else full scan
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, token, toString(standard) AS standard, from AS sender, to AS recipient, value
    FROM token_transfers FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        {{asked_transfers}}
        /*?accounts:*/ AND bitOr(from IN {{asked_addresses(accounts)}}, to IN {{asked_addresses(accounts)}}) /*?;*/
        /*?counterparties:*/ AND bitOr(bitAnd(from IN {{asked_addresses(accounts)}}, to IN {{asked_addresses(counterparties)}}),
            bitAnd(to IN {{asked_addresses(accounts)}}, from IN {{asked_addresses(counterparties)}})) /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
