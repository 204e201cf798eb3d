-- name:    turns
-- serves:  listValidators
-- params:  from_block: first block to read | validators: hex digits, in the order of their turns
-- returns: number of turns to produce a block, and of those in which another validator produced it, per validator with a turn
-- reads:   blocks by primary key
-- budget:  10 s, 512 MiB, 10_000 rows
SELECT concat('0x', {validators:Array(String)}[turn + 1]) AS address, count() AS turns,
    countIf(lower(hex(miner)) != {validators:Array(String)}[turn + 1]) AS missed
FROM
(
    SELECT block_number, miner, toUInt32(block_number % length({validators:Array(String)})) AS turn FROM blocks
    WHERE {{visible}} AND block_number >= {from_block:UInt64} AND block_number > 0
    LIMIT 1 BY block_number
)
GROUP BY turn
