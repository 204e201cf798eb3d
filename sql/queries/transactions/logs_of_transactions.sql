-- name:    logs_of_transactions
-- serves:  getTransaction, compatible transaction.gettxinfo
-- params:  snapshot | blocks Array(UInt64) | indexes Array(UInt32) places of transactions, same length | limit UInt32 rows of each
-- returns: the logs of each in order, bare columns; one twice while a repeated insert is not merged yet
-- reads:   logs by key
-- budget:  5 s, 1024 MiB, 200_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)}) AND {{visible}}
ORDER BY block_number, log_index
LIMIT {limit:UInt32} BY block_number, tx_index
