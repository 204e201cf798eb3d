-- name:    open_sizes
-- serves:  getChart, getLine, listCounters, getStats
-- returns: one row, sums over the visible blocks of the range: number of transactions, and of pairs of address and role (such
--          as sender)
-- reads:   block_figures by primary key: a few columns
-- budget:  20 s, 1024 MiB, 1 row
SELECT sum(transaction_count) AS transactions, sum(length(actors)) AS parts
FROM block_figures
WHERE block_number >= {from_block:UInt64} AND block_number <= {to_block:UInt64} AND {{visible}}
