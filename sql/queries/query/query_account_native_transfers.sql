-- name:    query_account_native_transfers
-- serves:  queryStats
-- params:  accounts: 40 hex digits each: addresses with one of the roles | roles: bits: 1 sender, 2 recipient
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them. The caller
--          checks that the internal calls of all blocks are stored
-- reads:   address_roles and internal_calls_by_address by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, nothing, sender, recipient, kind, value
    FROM
    (
        SELECT address, roles, block_number, timestamp, '' AS nothing, from AS sender,
            ifNull({{recipient}}, toFixedString('', 20)) AS recipient, 'transaction' AS kind, value
        FROM address_roles FINAL
        WHERE address IN {{asked_addresses(accounts)}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
            AND {{moved_coin}} > 0
        SETTINGS do_not_merge_across_partitions_select_final = 1
        UNION ALL
        SELECT address, bitOr(if(from = address, 1, 0), if(to = address, 2, 0)) AS roles, block_number, timestamp, '' AS nothing, from AS sender,
            ifNull(to, toFixedString('', 20)) AS recipient, toString(type) AS kind, value
        FROM internal_calls_by_address FINAL
        WHERE address IN {{asked_addresses(accounts)}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
            AND error = '' AND value > 0
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
    WHERE bitAnd(roles, {roles:UInt8}) != 0
        -- count a transfer between two of the accounts once
        AND bitOr({roles:UInt8} != 3, bitOr(address = sender, sender NOT IN {{asked_addresses(accounts)}}))
        /*?counterparties:*/ AND bitOr(bitAnd(sender IN {{asked_addresses(accounts)}}, recipient IN {{asked_addresses(counterparties)}}),
            bitAnd(recipient IN {{asked_addresses(accounts)}}, sender IN {{asked_addresses(counterparties)}})) /*?;*/
        {{asked_native_transfers}}
)}}
