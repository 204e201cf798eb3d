-- name:    anchor_log_tail
-- serves:  pipeline
-- returns: the last events that added or removed a block, newest first
-- reads:   anchor_events by primary key, backwards
-- budget:  10 s, 256 MiB, 100_000 rows
SELECT sequence, toString(kind) AS kind_name, block_number, concat('0x', lower(hex(hash))) AS block_hash
FROM anchor_events
ORDER BY sequence DESC
LIMIT 1 BY sequence
LIMIT {limit:UInt32}
