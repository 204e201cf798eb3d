-- name:    transactions_desc
-- serves:  listTransactions, listLatestTransactions, getSelfCheck
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64 | at_index Int64 position of the
--          last row sent, exclusive | status Int8 -1 for any | method String 8 hex digits or empty | min_value UInt256 wei | limit UInt32 1..201
-- returns: one row per transaction, two while a repeated insert is not merged yet, newest first
-- reads:   transactions by key, backwards
-- budget:  10 s, 512 MiB, 201 rows
SELECT
{{transaction_columns}}
FROM transactions
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
  AND (block_number, tx_index) < ({at_block:UInt64}, {at_index:Int64}) AND {{transaction_filter(substring(input, 1, 4))}}
ORDER BY block_number DESC, tx_index DESC
LIMIT {limit:UInt32}
