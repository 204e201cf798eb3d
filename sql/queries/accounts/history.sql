-- name:    history
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory, compatible account.txlist
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 position of the last row of the previous page
--          | role_mask UInt8 sum of the roles to include: 1 from, 2 to, 4 log | min_value UInt256 wei
--          | method String 8 hex digits: first 4 bytes of the call data | counterparty String 40 hex digits: sender or recipient
--          | limit UInt32 1..10_001
-- returns: one row per transaction of the address, in the requested order; may contain duplicate rows
-- reads:   address_roles by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{history_columns}}
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}}
  AND {{behind(block_number, tx_index)}}
  AND bitAnd(roles, {role_mask:UInt8}) != 0 /*?min_value:*/AND value >= {min_value:UInt256}/*?;*/
  /*?method:*/AND method_id = unhex({method:String})/*?;*/
  /*?counterparty:*/AND unhex({counterparty:String}) IN (from, ifNull(to, toFixedString('', 20)))/*?;*/
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
