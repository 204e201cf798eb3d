-- name:    changes_span
-- serves:  listChanges
-- returns: one row per block of the range, oldest first: its hash, and the number of its transactions plus logs
-- reads:   blocks by primary key
-- budget:  10 s, 256 MiB, 10_001 rows
SELECT block_number, concat('0x', lower(hex(any(hash)))) AS hash_hex, any(transaction_count) + any(log_count) AS row_count
FROM blocks
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
GROUP BY block_number
ORDER BY block_number
