-- name:    history_between
-- orders:  asc, desc
-- serves:  compatible account.txlist
-- params:  role_mask: sum of the roles to include: 1 from, 2 to
-- returns: transactions between the address (in the role of role_mask) and the counterparty; may repeat rows
-- reads:   address_roles by primary key
-- budget:  10 s, 1024 MiB, 20_000 rows
SELECT
{{history_columns}}
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}}
  AND {{behind(block_number, tx_index)}}
  AND bitAnd(roles, {role_mask:UInt8}) != 0
  AND ifNull(if({role_mask:UInt8} = 1, ifNull(to, if(ifNull(status, 1) = 1, contract_address, NULL)), from) = unhex({counterparty:String}), 0)
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
