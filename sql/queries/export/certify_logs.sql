-- name:    certify_logs
-- serves:  exportRows, certifyExport
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive and finalized
--          | at_block UInt64 | at_index Int64 position of the last row of the previous export
-- returns: one row: number of rows of the export, and a digest of these rows, each written as
--          blockNumber:logIndex:txHash:address:topic0:topic1:topic2:topic3:data (absent topics empty)
-- reads:   the same rows as export_logs, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_log_identity}})}} AS digest
FROM logs FINAL WHERE {{export_window(log_index)}}
