-- name:    last_block_before
-- serves:  rollups
-- returns: highest finalized block before the time
-- reads:   blocks: number and time
-- budget:  60 s, 1024 MiB, 1 row
SELECT max(block_number) AS last_block
FROM blocks
WHERE final = 1 AND block_number <= {settled_to:UInt64} AND timestamp < toDateTime({time:UInt32}, 'UTC')
