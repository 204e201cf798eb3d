-- name:    hashes_of_blocks
-- serves:  getChart, getLine, getBalanceHistory, listSetTransfers, listTransfers, listTokenTransfers, listInternalTransfers,
--          compatible stats.dailyblockrewards
-- returns: hash and parent hash of those given blocks that are on the chain
-- reads:   blocks by primary key
-- budget:  10 s, 256 MiB, 10_001 rows
SELECT block_number, concat('0x', lower(hex(hash))) AS hash_hex, concat('0x', lower(hex(parent_hash))) AS parent_hex
FROM blocks
WHERE {{visible}} AND block_number IN {blocks:Array(UInt64)}
LIMIT 1 BY block_number
