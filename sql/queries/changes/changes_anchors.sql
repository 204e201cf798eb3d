-- name:    changes_anchors
-- serves:  listChanges
-- returns: the blocks of the range, oldest first, with the columns of export_anchors
-- reads:   blocks by primary key
-- budget:  60 s, 2048 MiB, 10_000_000 rows
SELECT {{export_anchor_columns}}
FROM blocks FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
SETTINGS do_not_merge_across_partitions_select_final = 1
