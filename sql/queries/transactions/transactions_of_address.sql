-- name:    transactions_of_address
-- orders:  asc, desc
-- serves:  listTransactions
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits
--          | role_mask UInt8 sum of the roles that the address must have: 1 from, 2 to | recipient String 40 hex digits or empty
--          | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64
--          | at_index Int64 position of the last row of the previous page | status Int8 -1 for any
--          | method String first 8 hex digits of the call data, or empty | min_value UInt256 wei | limit UInt32 1..201
-- returns: one row per transaction of the address, in the requested order; may contain duplicate rows
-- reads:   address_roles by primary key, transactions at the positions found
-- budget:  10 s, 1024 MiB, 402 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN
(
    SELECT block_number, tx_index FROM address_roles
    WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, tx_index)}} AND bitAnd(roles, {role_mask:UInt8}) = {role_mask:UInt8}
      AND ({recipient:String} = '' OR to = unhex({recipient:String}) OR contract_address = unhex({recipient:String}))
      AND {{transaction_filter(method_id)}}
    ORDER BY {{in_order(block_number, tx_index)}}
    LIMIT {limit:UInt32}
)
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
