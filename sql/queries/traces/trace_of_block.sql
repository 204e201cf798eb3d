-- name:    trace_of_block
-- serves:  compatible block.getblocktxnscount
-- returns: number of internal calls of the block; no row: not stored
-- reads:   block_traces by primary key
-- budget:  5 s, 128 MiB, 10 rows
SELECT call_count
FROM block_traces
WHERE {{visible}} AND block_number = {block_number:UInt64}
LIMIT 1
