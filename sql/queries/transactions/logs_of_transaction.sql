-- name:    logs_of_transaction
-- serves:  getTransaction
-- params:  snapshot | block_number UInt64 | tx_index UInt32 | limit UInt32
-- returns: one row per log, in order
-- reads:   logs by key
-- budget:  5 s, 512 MiB, 10_000 rows
SELECT
    log_index, concat('0x', lower(hex(address))) AS address_hex,
    arrayMap(t -> concat('0x', lower(hex(t))), arraySlice([topic0, topic1, topic2, topic3], 1, topic_count)) AS topics,
    concat('0x', lower(hex(data))) AS data_hex
FROM logs
WHERE block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32} AND {{visible}}
ORDER BY block_number, log_index
LIMIT 1 BY block_number, log_index
LIMIT {limit:UInt32}
