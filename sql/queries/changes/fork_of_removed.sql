-- name:    fork_of_removed
-- serves:  listChanges
-- params:  hash String 64 hex digits of a block that a reader has
-- returns: one row: the lowest block at which the reorg that removed the block, or a later one, forked; null if none removed it
-- reads:   reorgs, full scan
-- budget:  5 s, 256 MiB, 1 row
SELECT if(count() = 0, NULL, min(fork_block)) AS fork_block
FROM reorgs
WHERE detected_at >= (SELECT if(count() = 0, toDateTime64('2299-01-01', 3, 'UTC'), min(detected_at)) FROM reorgs
    WHERE has(removed, toFixedString(unhex({hash:String}), 32)))
