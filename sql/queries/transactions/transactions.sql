-- name:    transactions
-- orders:  asc, desc
-- serves:  listTransactions, listLatestTransactions, getSelfCheck
-- returns: transactions; may repeat rows
-- reads:   transactions by primary key
-- budget:  10 s, 512 MiB, 201 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE {{visible}} AND {{behind(block_number, tx_index)}} AND {{transaction_filter(substring(input, 1, 4))}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
