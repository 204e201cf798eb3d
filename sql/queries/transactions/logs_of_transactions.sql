-- name:    logs_of_transactions
-- serves:  getTransaction, compatible transaction.gettxinfo
-- params:  snapshot (the blocks that readers may see) | blocks Array(UInt64) block numbers of transactions
--          | indexes Array(UInt32) positions of these transactions in their blocks | limit UInt32 maximum rows per transaction
-- returns: logs of each transaction in order, columns as stored; may repeat rows that ClickHouse has not merged yet
-- reads:   logs by primary key
-- budget:  5 s, 1024 MiB, 200_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE (block_number, tx_index) IN arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)}) AND {{visible}}
ORDER BY block_number, log_index
LIMIT {limit:UInt32} BY block_number, tx_index
