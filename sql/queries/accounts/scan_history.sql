-- name:    scan_history
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory, listTransactions
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 position of the last row of the previous page | skip UInt32 rows to skip
-- returns: block of the address's first transaction after `skip` transactions, in the requested order; no row if there are fewer
-- reads:   address_roles by primary key, at most skip rows of two columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT 1 OFFSET {skip:UInt32}
