-- name:    export_transfers
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized
--          | at_index: log index of the last row of the previous export, minus 1, because that log may contain more transfers
-- returns: token transfers (batch: items) of the block range, oldest first; streamed
-- reads:   logs by primary key
-- budget:  36000 s, 6144 MiB, 1_000_000_000_000 rows
SELECT
{{export_transfer_columns}}
FROM ({{token_transfers_of_logs((SELECT * FROM logs FINAL WHERE {{export_window(log_index)}} ORDER BY block_number, log_index))}})
WHERE {{export_behind_batch}}
ORDER BY block_number, log_index, batch_index
SETTINGS max_bytes_before_external_sort = 1000000000
