-- name:    moved_holders
-- serves:  getToken, listTokenHolders, search
-- params:  snapshot | era_through UInt64 first block after the closed rollup windows | era_blocks UInt64 blocks per rollup window
--          | token String 40 hex digits | from_block UInt64
-- returns: one row per standard and holder whose balance changed from from_block on (after the last closed rollup window): the change, and the
--          balance as of that window, decimal, each as two numbers, from which the fragment amount_of_parts makes the amount
-- reads:   token_transfers by primary key, holder_balance_eras of holders with transfers since
-- budget:  10 s, 2048 MiB, 5_000_000 rows
SELECT toInt8(standard) AS standard_code, concat('0x', lower(hex(holder))) AS address,
    toString(parts_before.1) AS closed, toString(parts_before.2) AS closed_high,
    toString(parts_after.1 - parts_before.1) AS delta, toString(parts_after.2 - parts_before.2) AS delta_high
FROM ({{live_holder_balances(token = unhex({token:String}) AND block_number >= {from_block:UInt64})}})
