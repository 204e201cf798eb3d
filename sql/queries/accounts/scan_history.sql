-- name:    scan_history
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory, listTransactions
-- returns: block of the transaction after the first `skip` ones of the address, or no row
-- reads:   address_roles by primary key, at most skip rows of two columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT 1 OFFSET {skip:UInt32}
