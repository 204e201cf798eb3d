-- name:    scan_transactions
-- orders:  asc, desc
-- serves:  listTransactions
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64
--          | at_index Int64 position of the last row of the previous page | skip UInt32 rows to skip
-- returns: block of the first transaction after `skip` transactions, in the requested order; no row if there are fewer
-- reads:   transactions by primary key, at most skip rows of two columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM transactions
WHERE {{visible}} AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT 1 OFFSET {skip:UInt32}
