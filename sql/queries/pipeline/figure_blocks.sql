-- name:    figure_blocks
-- serves:  pipeline
-- returns: header fields of stored blocks, from which block_figures (statistics for charts) is computed
-- reads:   blocks by primary key
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT block_number, timestamp, transaction_count, log_count, gas_used, gas_limit, fees, burned, size
FROM blocks
WHERE final = {final:UInt8} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
LIMIT 1 BY block_number
