-- name:    figure_blocks
-- serves:  pipeline
-- params:  final UInt8 1: finalized blocks, 0: unfinalized blocks | from_block UInt64 | to_block UInt64 both inclusive
-- returns: one row per stored block: the header fields from which chart figures are computed
-- reads:   blocks by primary key
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT block_number, timestamp, transaction_count, log_count, gas_used, gas_limit, fees, burned, size
FROM blocks
WHERE final = {final:UInt8} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
LIMIT 1 BY block_number
