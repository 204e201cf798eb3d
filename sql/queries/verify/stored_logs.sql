-- name:    stored_logs
-- serves:  verify
-- returns: stored logs with a digest of address, topics and data
-- reads:   logs by primary key
-- budget:  60 s, 2048 MiB, 5_000_000 rows
SELECT concat(toString(block_number), ':', toString(log_index)) AS key, toString(tx_index) AS tx_index,
    lower(hex(MD5(concat(address, substring(concat(topic0, topic1, topic2, topic3), 1, 32 * topic_count), data)))) AS digest,
    concat('0x', lower(hex(tx_hash))) AS tx_hash
FROM logs
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
ORDER BY block_number, log_index
LIMIT 1 BY block_number, log_index, digest
