-- name:    reorgs
-- serves:  listReorgs
-- params:  from_ms: earliest time, Unix milliseconds | before_ms: time of the last reorg of the previous page, Unix milliseconds
--          | before_fork: fork block of the last reorg of the previous page
-- returns: reorgs, newest first; in the same millisecond, highest fork block first
-- reads:   reorgs by primary key, backwards
-- budget:  10 s, 512 MiB, 201 rows
SELECT toUnixTimestamp64Milli(detected_at) AS detected_ms, fork_block, depth,
    arrayMap(hash -> concat('0x', lower(hex(hash))), removed) AS removed_hashes, arrayMap(hash -> concat('0x', lower(hex(hash))), added) AS added_hashes
FROM reorgs
WHERE depth > 0
  AND detected_at >= fromUnixTimestamp64Milli(toInt64({from_ms:UInt64})) AND detected_at <= fromUnixTimestamp64Milli(toInt64({before_ms:UInt64}))
  AND (detected_at, fork_block) < (fromUnixTimestamp64Milli(toInt64({before_ms:UInt64})), {before_fork:UInt64})
ORDER BY detected_at DESC, fork_block DESC
LIMIT 1 BY detected_at, fork_block
LIMIT {limit:UInt32}
