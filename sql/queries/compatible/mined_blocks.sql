-- name:    mined_blocks
-- serves:  compatible account.getminedblocks
-- returns: blocks of a producer, newest first
-- reads:   blocks by primary key, backwards
-- budget:  20 s, 1024 MiB, 10_001 rows
SELECT block_number, concat('0x', lower(hex(hash))) AS hash_hex, concat('0x', lower(hex(parent_hash))) AS parent_hex, toUInt32(timestamp) AS time,
    toString(fees - burned) AS reward
FROM blocks
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND miner = toFixedString(unhex({miner:String}), 20)
ORDER BY block_number DESC
LIMIT 1 BY block_number
LIMIT {limit:UInt32}
