-- name:    certify_anchors
-- serves:  exportRows, certifyExport
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive, finalized | at_block UInt64 | at_index Int64 as in export_anchors
-- returns: one row: row count of the export, and the digest over blockNumber:blockHash
-- reads:   the same rows as export_anchors, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest(concat(toString(block_number), ':0x', lower(hex(hash))))}} AS digest
FROM blocks FINAL WHERE {{export_window(0)}}
