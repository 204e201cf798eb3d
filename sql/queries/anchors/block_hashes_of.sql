-- name:    block_hashes_of
-- serves:  listAccountTransactions, listTransactions
-- params:  snapshot | numbers Array(UInt64) up to 201 heights
-- returns: height and hash, one row per block
-- reads:   blocks by key
-- budget:  5 s, 256 MiB, 1_000 rows
SELECT block_number, concat('0x', lower(hex(any(hash)))) AS block_hash
FROM blocks
WHERE {{visible}} AND block_number IN {numbers:Array(UInt64)}
GROUP BY block_number
