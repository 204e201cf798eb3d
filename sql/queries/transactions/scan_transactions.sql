-- name:    scan_transactions
-- orders:  asc, desc
-- serves:  listTransactions
-- returns: block of the transaction after the first `skip` ones, or no row
-- reads:   transactions by primary key, at most skip rows of two columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM transactions
WHERE {{visible}} AND {{behind(block_number, tx_index)}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT 1 OFFSET {skip:UInt32}
