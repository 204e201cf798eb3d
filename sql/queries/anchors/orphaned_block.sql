-- name:    orphaned_block
-- serves:  getAnchor
-- params:  hash String 64 hex digits
-- returns: height of a block that a reorg removed, and the time of the removal, or no row
-- reads:   reorgs, full scan
-- budget:  5 s, 256 MiB, 1 row
SELECT fork_block + indexOf(removed, toFixedString(unhex({hash:String}), 32)) AS block_number, toUnixTimestamp64Milli(detected_at) AS removed_at_ms
FROM reorgs
WHERE has(removed, toFixedString(unhex({hash:String}), 32))
ORDER BY detected_at DESC
LIMIT 1
