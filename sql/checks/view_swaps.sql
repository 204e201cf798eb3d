-- name:    view_swaps
-- serves:  verify
-- returns: one row if swaps differs from the swaps decoded from logs
-- reads:   logs, swaps
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM ({{swaps_of_logs((SELECT * FROM logs WHERE {{visible}} LIMIT 1 BY block_number, log_index))}})),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, block_number, log_index, tx_index, tx_hash, timestamp, pool, kind, sender, recipient, amount0, amount1 FROM swaps
        WHERE {{visible}} LIMIT 1 BY pool, block_number, log_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
