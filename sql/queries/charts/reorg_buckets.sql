-- name:    reorg_buckets
-- serves:  getChart, getLine
-- returns: one row per time bucket with the fork block of a reorg: number of reorgs, of removed blocks, and most blocks removed
--          by one reorg
-- reads:   reorgs, full scan (few rows); blocks at the fork heights
-- budget:  10 s, 512 MiB, 200_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(count()) AS reorg_count, toString(sum(depth)) AS removed_count, toString(max(depth)) AS deepest
FROM
(
    SELECT detected_at, fork_block, depth FROM reorgs
    WHERE depth > 0 AND fork_block BETWEEN {from_block:UInt64} AND {to_block:UInt64} LIMIT 1 BY detected_at, fork_block
) AS seen
INNER JOIN
(
    SELECT block_number AS fork_block, timestamp FROM blocks
    WHERE {{visible}} AND block_number IN (SELECT fork_block FROM reorgs WHERE fork_block BETWEEN {from_block:UInt64} AND {to_block:UInt64})
    LIMIT 1 BY block_number
) AS forks USING (fork_block)
GROUP BY time
