-- name:    query_account_transfers
-- serves:  queryStats
-- params:  accounts: 40 hex digits each: addresses on one of the sides | sides: out, in
--          | counterparties: addresses on the other side, if both directions are requested
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
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
