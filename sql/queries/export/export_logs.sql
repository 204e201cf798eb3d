-- name:    export_logs
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized | at_index: index, within its block, of the last row in the previous export
-- returns: logs of the block range, oldest first; streamed
-- reads:   logs by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_log_columns}}
FROM (SELECT * FROM logs FINAL WHERE {{export_window(log_index)}} ORDER BY block_number, log_index)
ORDER BY block_number, log_index
