-- name:    certify_anchors
-- serves:  exportRows, certifyExport
-- params:  to_block: last block, inclusive; it is finalized | at_index: 0 if block `at_block` was exported already, else -1
-- returns: one row: number of exported rows, and the digest of their texts
-- reads:   the same rows as export_anchors, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_anchor_identity}})}} AS digest
FROM blocks FINAL WHERE {{export_window(0)}}
