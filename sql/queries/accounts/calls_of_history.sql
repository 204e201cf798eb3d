-- name:    calls_of_history
-- serves:  compatible account.txlist
-- params:  snapshot | address String 40 hex digits | role_mask UInt8 1 from, 2 to, 4 log | from_block UInt64 | from_index UInt32
--          | to_block UInt64 | to_index UInt32 first and last place, both inclusive
-- returns: what history rows don't hold: one row per transaction of the address between two places, in no order
-- reads:   address_roles by its key; transactions at the places found
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, cumulative_gas_used, concat('0x', lower(hex(input))) AS input
FROM transactions
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND (block_number, tx_index) IN
(
    SELECT block_number, tx_index FROM address_roles
    WHERE address = unhex({address:String}) AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND (block_number, tx_index) >= ({from_block:UInt64}, {from_index:UInt32})
      AND (block_number, tx_index) <= ({to_block:UInt64}, {to_index:UInt32}) AND bitAnd(roles, {role_mask:UInt8}) != 0
)
