-- name:    block_time
-- serves:  every route
-- params:  snapshot | block_number UInt64
-- returns: timestamp of the block, raw, or no row; may contain unmerged duplicates
-- reads:   blocks by primary key
-- budget:  5 s, 256 MiB, 10 rows
SELECT timestamp FROM blocks WHERE block_number = {block_number:UInt64} AND {{visible}}
