-- name:    trace_of_block
-- serves:  compatible block.getblocktxnscount
-- params:  snapshot (blocks visible to readers) | block_number UInt64
-- returns: one row if the internal calls of the block are stored: their number
-- reads:   block_traces by primary key
-- budget:  5 s, 128 MiB, 10 rows
SELECT call_count
FROM block_traces
WHERE {{visible}} AND block_number = {block_number:UInt64}
LIMIT 1
