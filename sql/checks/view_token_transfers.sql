-- name:    view_token_transfers
-- serves:  verify
-- returns: one row if token_transfers differs from the transfers decoded from logs
-- reads:   logs, token_transfers
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE {{visible}} LIMIT 1 BY block_number, log_index))}})),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, block_number, log_index, batch_index, tx_index, tx_hash, timestamp, token, standard, from, to, token_id, value
        FROM token_transfers WHERE {{visible}} LIMIT 1 BY token, block_number, log_index, batch_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
