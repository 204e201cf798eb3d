-- name:    query_account_transfers
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | accounts Array(String) 40 hex digits each: addresses on one of the sides | sides Array(String) out, in
--          | others Array(String) | counterparties Array(String) addresses on the other side of one direction, of both
--          | tokens Array(String) | standards Array(String) | least UInt256 | most UInt256 in the smallest unit
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   token_transfers_by_address by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, token, toString(standard) AS standard, value,
        if(direction = 'out', address, counterparty) AS sender, if(direction = 'out', counterparty, address) AS recipient
    FROM token_transfers_by_address FINAL
    WHERE address IN {{asked_addresses(accounts)}} AND has({sides:Array(String)}, toString(direction))
        -- a transfer between two of the accounts counts once
        AND bitOr(direction = 'out', bitOr(NOT has({sides:Array(String)}, 'out'), counterparty NOT IN {{asked_addresses(accounts)}}))
        AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?tokens:*/ AND token IN {{asked_addresses(tokens)}} /*?;*/
        /*?others:*/ AND counterparty IN {{asked_addresses(others)}} /*?;*/
        /*?counterparties:*/ AND bitOr(counterparty IN {{asked_addresses(counterparties)}},
            bitAnd(counterparty IN {{asked_addresses(accounts)}}, address IN {{asked_addresses(counterparties)}})) /*?;*/
        /*?standards:*/ AND has({standards:Array(String)}, toString(standard)) /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
