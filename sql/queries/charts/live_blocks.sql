-- name:    live_blocks
-- serves:  getChart, getLine, listCounters, getStats
-- returns: statistics of each visible block for charts, lowest first. Columns are as stored, because converting them would
--          delay every new block
-- reads:   block_figures by primary key
-- budget:  20 s, 1024 MiB, 250_001 rows
SELECT * EXCEPT final
FROM block_figures
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
ORDER BY block_number
LIMIT 1 BY block_number
