-- name:    trace_of_block
-- serves:  compatible block.getblocktxnscount
-- params:  snapshot | block_number UInt64
-- returns: one row where the block was traced: how many internal calls it has
-- reads:   block_traces by key
-- budget:  5 s, 128 MiB, 10 rows
SELECT call_count
FROM block_traces
WHERE {{visible}} AND block_number = {block_number:UInt64}
LIMIT 1
