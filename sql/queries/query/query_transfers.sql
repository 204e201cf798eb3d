-- name:    query_transfers
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | senders Array(String) | recipients Array(String) | accounts Array(String) | counterparties Array(String) 40 hex digits each
--          | tokens Array(String) | standards Array(String) | least UInt256 | most UInt256 in the smallest unit
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   token_transfers by primary key, if tokens are given, else all of it
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, token, toString(standard) AS standard, from AS sender, to AS recipient, value
    FROM token_transfers FINAL
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?tokens:*/ AND token IN {{asked_addresses(tokens)}} /*?;*/
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND to IN {{asked_addresses(recipients)}} /*?;*/
        /*?accounts:*/ AND bitOr(from IN {{asked_addresses(accounts)}}, to IN {{asked_addresses(accounts)}}) /*?;*/
        /*?counterparties:*/ AND bitOr(bitAnd(from IN {{asked_addresses(accounts)}}, to IN {{asked_addresses(counterparties)}}),
            bitAnd(to IN {{asked_addresses(accounts)}}, from IN {{asked_addresses(counterparties)}})) /*?;*/
        /*?standards:*/ AND has({standards:Array(String)}, toString(standard)) /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
