-- name:    internal_places
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory
-- returns: position of the transaction of each successful internal call from or to the address
-- reads:   internal_calls_by_address by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT block_number, tx_index
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND error = '' AND {{visible}}
  AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
