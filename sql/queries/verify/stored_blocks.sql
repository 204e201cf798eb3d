-- name:    stored_blocks
-- serves:  verify
-- returns: visible stored blocks, with the fields that are compared with a node
-- reads:   blocks by primary key
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT toString(block_number) AS key, concat('0x', lower(hex(hash))) AS hash, concat('0x', lower(hex(parent_hash))) AS parent_hash,
    toString(transaction_count) AS transaction_count, toString(log_count) AS log_count, toString(gas_used) AS gas_used,
    toString(toUInt32(timestamp)) AS timestamp, concat('0x', lower(hex(miner))) AS miner, ifNull(toString(base_fee_per_gas), '') AS base_fee
FROM blocks
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
LIMIT 1 BY block_number, hash
