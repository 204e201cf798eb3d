-- name:    certify_logs_of_address
-- serves:  exportRows, certifyExport
-- params:  to_block: last block, inclusive; it is finalized | at_index: index, within its block, of the last row in the previous export
-- returns: one row: number of exported rows, and the digest of their texts
-- reads:   the same rows as export_logs_of_address, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_log_identity}})}} AS digest
FROM logs FINAL
WHERE {{export_window(log_index)}} AND (block_number, log_index) IN
    (SELECT block_number, log_index FROM logs_by_address WHERE address = unhex({address:String}) AND {{export_window(log_index)}})
