-- name:    pinned_block
-- serves:  every route
-- returns: one row: hash of the block at this height (empty: none), and the lowest fork block of the reorg that removed the
--          given hash and of all later reorgs (null: none removed it)
-- reads:   blocks by primary key; reorgs, full scan
-- budget:  5 s, 256 MiB, 1 row
SELECT
    (SELECT if(count() = 0, '', concat('0x', lower(hex(any(hash))))) FROM blocks WHERE block_number = {block_number:UInt64} AND {{visible}}) AS hash,
    (SELECT if(count() = 0, NULL, min(fork_block)) FROM reorgs
        WHERE detected_at >= (SELECT if(count() = 0, toDateTime64('2299-01-01', 3, 'UTC'), min(detected_at)) FROM reorgs
            WHERE has(removed, toFixedString(unhex({hash:String}), 32)))) AS fork_block
