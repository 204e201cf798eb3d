-- name:    block_time
-- serves:  every route
-- returns: timestamp of the block, as stored, or no row; may repeat rows
-- reads:   blocks by primary key
-- budget:  5 s, 256 MiB, 10 rows
SELECT timestamp FROM blocks WHERE block_number = {block_number:UInt64} AND {{visible}}
