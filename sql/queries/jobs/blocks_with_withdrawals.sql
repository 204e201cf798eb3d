-- name:    blocks_with_withdrawals
-- serves:  pipeline
-- returns: finalized blocks of the range with validator withdrawals, whose recipients only the node knows
-- reads:   blocks by primary key
-- budget:  30 s, 512 MiB, 1_000_000 rows
SELECT DISTINCT block_number AS number, concat('0x', lower(hex(hash))) AS block_hash FROM blocks
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND withdrawal_count > 0
ORDER BY number
