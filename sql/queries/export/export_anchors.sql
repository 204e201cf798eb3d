-- name:    export_anchors
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized | at_index: 0 if block `at_block` was exported already, else -1
-- returns: blocks of the range, oldest first; streamed
-- reads:   blocks by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_anchor_columns}}
FROM (SELECT * FROM blocks FINAL WHERE {{export_window(0)}} ORDER BY block_number)
ORDER BY block_number
