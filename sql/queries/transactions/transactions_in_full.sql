-- name:    transactions_in_full
-- serves:  getTransaction, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  snapshot (the blocks that readers may see) | blocks Array(UInt64) block numbers of transactions
--          | indexes Array(UInt32) positions of these transactions in their blocks
-- returns: the transactions with their call data, unordered; may repeat rows that ClickHouse has not merged yet
-- reads:   transactions by primary key
-- budget:  5 s, 512 MiB, 200 rows
SELECT
{{transaction_columns}},
    input, blob_count, authorization_count, blob_gas_used, blob_gas_price
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})
