-- name:    bucket_bounds
-- serves:  rollups
-- params:  from_time UInt32 Unix seconds, inclusive | settled_to UInt64 last block that is final and complete
--          | max_blocks UInt64 how far to look ahead
-- returns: first block at or after from_time, its time, the time of the block max_blocks later (at most settled_to), and the time
--          of settled_to
-- reads:   blocks: number and time
-- budget:  60 s, 1024 MiB, 1 row
WITH
    (SELECT min(block_number) FROM blocks
     WHERE final = 1 AND block_number <= {settled_to:UInt64} AND timestamp >= toDateTime({from_time:UInt32}, 'UTC')) AS first_block
SELECT
    first_block,
    toUInt32(minIf(timestamp, block_number = first_block)) AS first_time,
    toUInt32(max(timestamp)) AS chunk_time,
    (SELECT toUInt32(max(timestamp)) FROM blocks WHERE final = 1 AND block_number = {settled_to:UInt64}) AS settled_time
FROM blocks
WHERE final = 1 AND block_number BETWEEN first_block AND least(first_block + {max_blocks:UInt64}, {settled_to:UInt64})
