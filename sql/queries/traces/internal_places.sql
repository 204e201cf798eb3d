-- name:    internal_places
-- orders:  asc, desc
-- serves:  listAccountTransactions, getSemanticHistory
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 position of the last row of the previous page | limit UInt32 1..10_001
-- returns: position of the transaction of each successful internal call from or to the address, once per call, in the requested
--          order
-- reads:   internal_calls_by_address by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT block_number, tx_index
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND error = '' AND {{visible}}
  AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
