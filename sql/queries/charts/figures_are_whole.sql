-- name:    figures_are_whole
-- serves:  getChart, getLine, listCounters, getStats
-- returns: one row: 1 if every visible block from from_block - 1 on has a row in block_figures, else 0
-- reads:   blocks and block_figures: key columns
-- budget:  20 s, 2048 MiB, 1 row
SELECT (SELECT uniqExact(block_number) FROM blocks WHERE block_number + 1 >= {from_block:UInt64} AND {{visible}})
    = (SELECT uniqExact(block_number) FROM block_figures WHERE block_number + 1 >= {from_block:UInt64} AND {{visible}}) AS is_whole
