-- name:    reorg_count
-- serves:  getStatus
-- returns: one row: number of recorded reorgs
-- reads:   reorgs by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT uniqExact(detected_at, fork_block) AS reorgs FROM reorgs WHERE depth > 0
