-- name:    pinned_block
-- serves:  every route
-- params:  snapshot | block_number UInt64 | hash String 64 hex digits
-- returns: one row: hash of the block that is on the chain at this height, empty when there is none; and where the reorg that
--          removed the given hash forked off, null when none did
-- reads:   blocks by key; reorgs whole
-- budget:  5 s, 256 MiB, 1 row
SELECT
    (SELECT if(count() = 0, '', concat('0x', lower(hex(any(hash))))) FROM blocks WHERE block_number = {block_number:UInt64} AND {{visible}}) AS hash,
    (SELECT if(count() = 0, NULL, min(fork_block)) FROM reorgs WHERE has(removed, toFixedString(unhex({hash:String}), 32))) AS fork_block
