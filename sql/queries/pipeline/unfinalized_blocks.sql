-- name:    unfinalized_blocks
-- serves:  pipeline
-- returns: number, hash, parent and time of block `finalized` and of those above, up to `head`; lowest first
-- reads:   blocks by primary key
-- budget:  10 s, 256 MiB, 100_000 rows
SELECT block_number, concat('0x', lower(hex(hash))) AS hash, concat('0x', lower(hex(parent_hash))) AS parent_hash, toUInt32(timestamp) AS time
FROM blocks
WHERE (final = 0 AND block_number > {finalized:UInt64} AND block_number <= {head:UInt64})
   OR (final = 1 AND block_number = {finalized:UInt64})
ORDER BY block_number
LIMIT 1 BY block_number
