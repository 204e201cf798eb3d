-- name:    changes_span
-- serves:  listChanges, pipeline
-- returns: one row per block, oldest first: hash, number of its transactions, logs and token transfers, and the most bytes that
--          transactions and logs can have (a byte of a log costs at least 8 gas)
-- reads:   blocks and block_figures by primary key
-- budget:  10 s, 256 MiB, 10_001 rows
SELECT block_number, hash_hex, own_count + transfer_count AS row_count, most_bytes
FROM
(
    SELECT block_number, concat('0x', lower(hex(any(hash)))) AS hash_hex, any(transaction_count) + any(log_count) AS own_count,
        any(size) + intDiv(any(gas_used), 8) AS most_bytes
    FROM blocks
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    GROUP BY block_number
) AS block
LEFT JOIN
(
    SELECT block_number, any(token_transfer_count) AS transfer_count
    FROM block_figures
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    GROUP BY block_number
) AS figures USING (block_number)
ORDER BY block_number
