-- name:    logs_of_transactions
-- serves:  getTransaction, compatible transaction.gettxinfo
-- params:  snapshot (blocks visible to readers) | blocks Array(UInt64) block numbers
--          | indexes Array(UInt32) positions of transactions in these blocks | limit UInt32 maximum rows per transaction
-- returns: logs of each transaction in order, columns as stored; may contain duplicate rows
-- reads:   logs by primary key
-- budget:  5 s, 1024 MiB, 200_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)}) AND {{visible}}
ORDER BY block_number, log_index
LIMIT {limit:UInt32} BY block_number, tx_index
