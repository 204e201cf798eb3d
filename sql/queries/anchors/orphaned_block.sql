-- name:    orphaned_block
-- serves:  getAnchor, search
-- returns: height of a block that a reorg removed, and time of the removal, Unix ms; no row if no reorg removed this hash
-- reads:   reorgs, full scan
-- budget:  5 s, 256 MiB, 1 row
SELECT fork_block + indexOf(removed, toFixedString(unhex({hash:String}), 32)) AS block_number, toUnixTimestamp64Milli(detected_at) AS removed_at_ms
FROM reorgs
WHERE depth > 0 AND has(removed, toFixedString(unhex({hash:String}), 32))
ORDER BY detected_at DESC
LIMIT 1
