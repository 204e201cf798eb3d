-- name:    live_blocks
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block, lowest first: all that it adds to figures
-- reads:   block_figures by key, and the block before the first
-- budget:  20 s, 1024 MiB, 250_001 rows
SELECT * EXCEPT (final, is_own)
FROM ({{paced_figures((
    SELECT *, block_number >= {from_block:UInt64} AS is_own FROM block_figures
    WHERE block_number + 1 >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}} LIMIT 1 BY block_number))}})
ORDER BY block_number
