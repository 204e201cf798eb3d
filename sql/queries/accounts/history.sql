-- name:    history
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory, compatible account.txlist
-- params:  counterparty: 40 hex digits: sender, recipient or created contract
-- returns: transactions of the address; may repeat rows
-- reads:   address_roles by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{history_columns}}
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}}
  AND {{behind(block_number, tx_index)}}
  AND bitAnd(roles, {role_mask:UInt8}) != 0 /*?min_value:*/AND value >= {min_value:UInt256}/*?;*/
  /*?method:*/AND method_id = unhex({method:String})/*?;*/
  /*?counterparty:*/AND (from = unhex({counterparty:String})
    OR ifNull(ifNull(to, if(ifNull(status, 1) = 1, contract_address, NULL)) = unhex({counterparty:String}), 0))/*?;*/
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
