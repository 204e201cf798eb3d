-- name:    moved_holders
-- serves:  getToken, listTokenHolders, search
-- params:  from_block: a block after the rollup windows
-- returns: one row per standard and holder with a transfer from from_block on: balance at the end of the rollup windows
--          (closed, closed_high) and change since (delta, delta_high). Fragment amount_of_parts converts each pair to an amount
-- reads:   token_transfers by primary key, token_balance_eras_by_holder of the holders found
-- budget:  10 s, 2048 MiB, 5_000_000 rows
SELECT toInt8(standard) AS standard_code, concat('0x', lower(hex(holder))) AS address,
    toString(parts_before.1) AS closed, toString(parts_before.2) AS closed_high,
    toString(parts_after.1 - parts_before.1) AS delta, toString(parts_after.2 - parts_before.2) AS delta_high
FROM ({{live_holder_balances(token = unhex({token:String}) AND block_number >= {from_block:UInt64})}})
