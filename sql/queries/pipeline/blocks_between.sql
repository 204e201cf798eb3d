-- name:    blocks_between
-- serves:  pipeline
-- params:  to_block: last block, inclusive; all blocks of the range are stored
-- returns: number, hash, parent and time of each block, lowest first
-- reads:   blocks by primary key
-- budget:  20 s, 512 MiB, 100_000 rows
SELECT block_number, concat('0x', lower(hex(hash))) AS block_hash, concat('0x', lower(hex(parent_hash))) AS parent, toUInt32(timestamp) AS time
FROM blocks
WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, final DESC
LIMIT 1 BY block_number
