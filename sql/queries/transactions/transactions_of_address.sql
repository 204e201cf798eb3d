-- name:    transactions_of_address
-- orders:  asc, desc
-- serves:  listTransactions
-- params:  role_mask: sum of the roles that the address must have: 1 from, 2 to | recipient: 40 hex digits or empty
-- returns: transactions of the address; may repeat rows
-- reads:   address_roles by primary key, transactions at the positions found
-- budget:  10 s, 1024 MiB, 402 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN
(
    SELECT block_number, tx_index FROM address_roles
    WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, tx_index)}} AND bitAnd(roles, {role_mask:UInt8}) = {role_mask:UInt8}
      AND ({recipient:String} = '' OR to = unhex({recipient:String}) OR (contract_address = unhex({recipient:String}) AND ifNull(status, 1) = 1))
      AND {{transaction_filter(method_id)}}
    ORDER BY {{in_order(block_number, tx_index)}}
    LIMIT 1 BY block_number, tx_index
    LIMIT {limit:UInt32}
)
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
