-- name:    stored_header
-- serves:  rewind
-- returns: hash and Unix time of the stored block, finalized or not, or no row
-- reads:   blocks by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT concat('0x', lower(hex(hash))) AS hash, toUInt32(timestamp) AS timestamp
FROM blocks
WHERE block_number = {block_number:UInt64}
ORDER BY final
LIMIT 1
