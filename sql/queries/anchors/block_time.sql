-- name:    block_time
-- serves:  every route
-- params:  snapshot | block_number UInt64
-- returns: time of the block, bare, or no row; two while a repeated insert is not merged yet
-- reads:   blocks by key
-- budget:  5 s, 256 MiB, 10 rows
SELECT timestamp FROM blocks WHERE block_number = {block_number:UInt64} AND {{visible}}
