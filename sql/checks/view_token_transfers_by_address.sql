-- name:    view_token_transfers_by_address
-- serves:  verify
-- returns: one row if token_transfers_by_address differs from token_transfers
-- reads:   token_transfers, token_transfers_by_address
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, side.1 AS address, block_number, log_index, batch_index, CAST(side.2, 'Enum8(\'out\' = 1, \'in\' = 2)') AS direction,
        tx_index, tx_hash, timestamp, token, standard, side.3 AS counterparty, token_id, value
        FROM (SELECT * FROM token_transfers WHERE {{visible}}
        LIMIT 1 BY token, block_number, log_index, batch_index) ARRAY JOIN [(from, 1, to), (to, 2, from)] AS side WHERE side.1 != toFixedString('', 20))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, address, block_number, log_index, batch_index, direction, tx_index, tx_hash, timestamp, token, standard, counterparty,
        token_id, value FROM token_transfers_by_address WHERE {{visible}} LIMIT 1 BY address, block_number, log_index, batch_index, direction))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
