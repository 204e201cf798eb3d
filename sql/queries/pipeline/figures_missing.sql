-- name:    figures_missing
-- serves:  pipeline, rollups
-- params:  from_block UInt64 | to_block UInt64 both inclusive, settled
-- returns: stretches with settled blocks that have no row in block_figures, lowest first; no row where all have one
-- reads:   blocks and block_figures: keys
-- budget:  60 s, 2048 MiB, 1_000_000 rows
SELECT min(block_number) AS first_block, max(block_number) AS last_block
FROM blocks
WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND block_number NOT IN
    (SELECT block_number FROM block_figures WHERE final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})
GROUP BY intDiv(block_number, 1000)
ORDER BY first_block
