-- name:    transaction_at
-- serves:  getTransaction, search, getVerdict, getWithdrawal, getKnot, compatible transaction.getstatus
-- params:  snapshot | block_number UInt64 | tx_index UInt32
-- returns: the transaction with its call data, or no row; two while a repeated insert is not merged yet
-- reads:   transactions by key
-- budget:  5 s, 256 MiB, 10 rows
SELECT
{{transaction_columns}},
    input, blob_count, authorization_count, blob_gas_used, blob_gas_price
FROM transactions
WHERE {{visible}} AND block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32}
