-- name:    transactions
-- orders:  asc, desc
-- serves:  listTransactions, listLatestTransactions, getSelfCheck
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64
--          | at_index Int64 position of the last row of the previous page | status Int8 -1 for any
--          | method String first 8 hex digits of the call data, or empty | min_value UInt256 wei | limit UInt32 1..201
-- returns: one row per transaction, in the requested order; may contain duplicate rows
-- reads:   transactions by primary key
-- budget:  10 s, 512 MiB, 201 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE {{visible}} AND {{behind(block_number, tx_index)}} AND {{transaction_filter(substring(input, 1, 4))}}
ORDER BY {{in_order(block_number, tx_index)}}
LIMIT {limit:UInt32}
