-- name:    changes_logs
-- serves:  listChanges
-- returns: the logs of the range, oldest first, with the columns of export_logs
-- reads:   logs by primary key
-- budget:  60 s, 2048 MiB, 10_000_000 rows
SELECT {{export_log_columns}}
FROM logs FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, log_index
SETTINGS do_not_merge_across_partitions_select_final = 1
