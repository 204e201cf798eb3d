-- name:    figures_missing
-- serves:  pipeline, rollups
-- params:  to_block: last block, inclusive; it is finalized
-- returns: first and last finalized block without a matching row in block_figures, per 1000 block numbers, lowest first; no row
--          if complete
-- reads:   blocks and block_figures: keys and a few columns
-- budget:  60 s, 2048 MiB, 1_000_000 rows
SELECT min(block_number) AS first_block, max(block_number) AS last_block
FROM blocks
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    AND (block_number, timestamp, gas_used, fees, toUInt64(transaction_count), toUInt64(log_count)) NOT IN
    (SELECT block_number, timestamp, gas_used, fees, transaction_count, log_count FROM block_figures
        WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})
GROUP BY intDiv(block_number, 1000)
ORDER BY first_block
