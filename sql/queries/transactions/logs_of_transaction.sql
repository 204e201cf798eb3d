-- name:    logs_of_transaction
-- serves:  getTransaction
-- params:  snapshot | block_number UInt64 | tx_index UInt32 | limit UInt32
-- returns: one row per log, in order, bare columns
-- reads:   logs by key
-- budget:  5 s, 512 MiB, 10_000 rows
SELECT
{{log_columns}}
FROM logs
WHERE block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32} AND {{visible}}
ORDER BY block_number, log_index
LIMIT 1 BY block_number, log_index
LIMIT {limit:UInt32}
