-- name:    transfers_of_transaction
-- serves:  getTransaction
-- params:  snapshot | block_number UInt64 | tx_index UInt32 | limit UInt32
-- returns: one row per moved token, in order
-- reads:   logs by key
-- budget:  5 s, 512 MiB, 10_000 rows
SELECT
    log_index, batch_index, concat('0x', lower(hex(token))) AS token_hex, toString(standard) AS standard,
    concat('0x', lower(hex(from))) AS from_hex, concat('0x', lower(hex(to))) AS to_hex,
    toString(token_id) AS token_id, toString(value) AS value
FROM
({{token_transfers_of_logs((SELECT * FROM logs WHERE block_number = {block_number:UInt64} AND tx_index = {tx_index:UInt32} AND {{visible}} LIMIT 1 BY block_number, log_index))}})
ORDER BY log_index, batch_index
LIMIT {limit:UInt32}
