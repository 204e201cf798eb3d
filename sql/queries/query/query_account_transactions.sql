-- name:    query_account_transactions
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | accounts Array(String) 40 hex digits each: addresses with one of the roles | roles UInt8 bits: 1 sender, 2 recipient
--          | senders Array(String) | recipients Array(String) | counterparties Array(String) addresses on the other side
--          | methods Array(String) | types Array(UInt8) | outcome UInt8 1 success, 0 failure | least UInt256 | most UInt256 value, wei
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked
-- reads:   address_roles by primary key
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, from AS sender, ifNull({{recipient}}, toFixedString('', 20)) AS recipient,
        if(to IS NULL, '', method_id) AS method, type, ifNull(status, 1) AS outcome, value, fee, gas_used, gas_price
    FROM address_roles FINAL
    WHERE address IN {{asked_addresses(accounts)}} AND bitAnd(roles, {roles:UInt8}) != 0
        -- a transaction between two of the accounts counts once
        AND bitOr({roles:UInt8} != 3, bitOr(address = from, from NOT IN {{asked_addresses(accounts)}}))
        AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND {{recipient}} IN {{asked_addresses(recipients)}} /*?;*/
        /*?counterparties:*/ AND bitOr(bitAnd(from IN {{asked_addresses(accounts)}}, {{recipient}} IN {{asked_addresses(counterparties)}}),
            bitAnd({{recipient}} IN {{asked_addresses(accounts)}}, from IN {{asked_addresses(counterparties)}})) /*?;*/
        {{asked_transactions(if(to IS NULL, '', method_id))}}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
