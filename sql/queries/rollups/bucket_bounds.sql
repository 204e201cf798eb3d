-- name:    bucket_bounds
-- serves:  rollups
-- params:  max_blocks: how far to look ahead
-- returns: one row: first block at or after from_time, and its time; time of the block max_blocks later (at most settled_to);
--          time of block settled_to
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
