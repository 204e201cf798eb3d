-- name:    logs_of_transactions
-- serves:  getTransaction, compatible transaction.gettxinfo
-- params:  limit: maximum rows per transaction
-- returns: logs of each transaction in order, columns as stored; may repeat rows
-- reads:   logs by primary key
-- budget:  5 s, 1024 MiB, 200_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)}) AND {{visible}}
ORDER BY block_number, log_index
LIMIT {limit:UInt32} BY block_number, tx_index
