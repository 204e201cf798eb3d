-- name:    certify_anchors
-- serves:  exportRows, certifyExport
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive and finalized
--          | at_block UInt64 | at_index Int64 0 if the previous export returned block at_block, else -1
-- returns: one row: number of rows of the export, and a digest of these rows, each written as blockNumber:blockHash
-- reads:   the same rows as export_anchors, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_anchor_identity}})}} AS digest
FROM blocks FINAL WHERE {{export_window(0)}}
