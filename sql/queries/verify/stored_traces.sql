-- name:    stored_traces
-- serves:  verify
-- returns: blocks with stored internal calls, and the counts at the time of storing
-- reads:   block_traces by primary key
-- budget:  60 s, 1024 MiB, 1_000_000 rows
SELECT toString(block_number) AS key, concat('0x', lower(hex(block_hash))) AS block_hash,
    toString(transaction_count) AS transaction_count, toString(call_count) AS call_count
FROM block_traces
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number
LIMIT 1 BY block_number, block_hash
