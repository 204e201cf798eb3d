-- name:    transactions_in_full
-- serves:  getTransaction, getTransactionState, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- returns: given transactions with call data, unordered; may repeat rows
-- reads:   transactions by primary key
-- budget:  5 s, 512 MiB, 200 rows
SELECT
{{transaction_columns}},
    input, blob_count, authorization_count, blob_gas_used, blob_gas_price, typed_fields
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})
