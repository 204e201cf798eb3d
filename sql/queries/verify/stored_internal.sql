-- name:    stored_internal
-- serves:  verify
-- returns: stored internal calls, without trace_id and error texts, which differ between nodes
-- reads:   internal_calls by primary key
-- budget:  60 s, 2048 MiB, 5_000_000 rows
SELECT concat(toString(block_number), ':', toString(tx_index), ':', toString(call_index)) AS key, toString(block_number) AS block,
    concat('0x', lower(hex(tx_hash))) AS tx_hash, concat('0x', lower(hex(block_hash))) AS block_hash,
    replaceOne(toString(type), 'create2', 'create') AS type, concat('0x', lower(hex(from))) AS from,
    if(to IS NULL, '', concat('0x', lower(hex(to)))) AS to, toString(value) AS value, if(error = '', '0', '1') AS failed
FROM internal_calls
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, tx_index, call_index
LIMIT 1 BY block_number, tx_index, call_index, tx_hash, block_hash, type, from, to, value, failed
