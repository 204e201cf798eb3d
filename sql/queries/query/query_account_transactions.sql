-- name:    query_account_transactions
-- serves:  queryStats
-- params:  accounts: 40 hex digits each: addresses with one of the roles | roles: bits: 1 sender, 2 recipient
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them
-- reads:   address_roles by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS sender, {{reached_account}} AS recipient,
        if(to IS NULL, '', method_id) AS method, type, ifNull(status, 1) AS outcome, value, fee, gas_used, gas_price
    FROM address_roles FINAL
    WHERE address IN {{asked_addresses(accounts)}} AND bitAnd(roles, {roles:UInt8}) != 0
        -- a transaction between two of the accounts counts once
        AND bitOr({roles:UInt8} != 3, bitOr(address = from, from NOT IN {{asked_addresses(accounts)}}))
        AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND {{reached_account}} IN {{asked_addresses(recipients)}} /*?;*/
        /*?counterparties:*/ AND bitOr(
            bitAnd(from IN {{asked_addresses(accounts)}}, {{reached_account}} IN {{asked_addresses(counterparties)}}),
            bitAnd({{reached_account}} IN {{asked_addresses(accounts)}}, from IN {{asked_addresses(counterparties)}})) /*?;*/
        {{asked_transactions(if(to IS NULL, '', method_id))}}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
