-- name:    stored_header_up_to
-- serves:  pipeline
-- params:  above: only blocks above this one
-- returns: number and hash of the highest stored block after `above`, up to `block_number`, finalized or not; or no row
-- reads:   blocks by primary key
-- budget:  20 s, 256 MiB, 1 row
SELECT block_number, concat('0x', lower(hex(hash))) AS hash
FROM blocks
WHERE block_number > {above:Int64} AND block_number <= {block_number:UInt64}
ORDER BY block_number DESC, final
LIMIT 1
