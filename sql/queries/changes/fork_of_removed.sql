-- name:    fork_of_removed
-- serves:  listChanges
-- returns: one row: lowest fork block of the reorg that removed the block and of all later reorgs; null if no reorg removed it
-- reads:   reorgs, full scan
-- budget:  5 s, 256 MiB, 1 row
SELECT if(count() = 0, NULL, min(fork_block)) AS fork_block
FROM reorgs
WHERE detected_at >= (SELECT if(count() = 0, toDateTime64('2299-01-01', 3, 'UTC'), min(detected_at)) FROM reorgs
    WHERE has(removed, toFixedString(unhex({hash:String}), 32)))
