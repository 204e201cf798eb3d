-- name:    certify_anchors
-- serves:  exportRows, certifyExport
-- params:  snapshot the blocks that readers may see | from_block UInt64 | to_block UInt64 both inclusive and finalized
--          | at_block UInt64 | at_index Int64 as in export_anchors
-- returns: one row: number of rows of the export, and their digest, over blockNumber:blockHash
-- reads:   the same rows as export_anchors, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest(concat(toString(block_number), ':0x', lower(hex(hash))))}} AS digest
FROM blocks FINAL WHERE {{export_window(0)}}
