-- name:    logs_of_transaction_after
-- serves:  getTransaction, compatible transaction.gettxinfo
-- params:  after: index in the block of the last log of the previous page
-- returns: logs of one transaction after the given log, in order, columns as stored; may repeat rows
-- reads:   logs by primary key
-- budget:  5 s, 1024 MiB, 20_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32} AND log_index > {after:Int64} AND {{visible}}
ORDER BY block_number, log_index
LIMIT {limit:UInt32}
