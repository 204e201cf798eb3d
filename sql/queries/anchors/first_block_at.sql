-- name:    first_block_at
-- serves:  every route
-- returns: number of the first block at or after the time, or no row
-- reads:   blocks by primary key; the skip index on timestamp excludes older granules
-- budget:  10 s, 512 MiB, 1 row
SELECT block_number
FROM blocks
WHERE {{visible}} AND timestamp >= toDateTime({time:UInt32}, 'UTC')
ORDER BY block_number
LIMIT 1
