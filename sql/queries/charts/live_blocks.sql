-- name:    live_blocks
-- serves:  getChart, getLine, listCounters, getStats
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per visible block, lowest first: its contributions to figures; raw columns, because it runs for every head
-- reads:   block_figures by primary key
-- budget:  20 s, 1024 MiB, 250_001 rows
SELECT * EXCEPT final
FROM block_figures
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
ORDER BY block_number
LIMIT 1 BY block_number
