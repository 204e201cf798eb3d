-- name:    view_logs_by_address
-- serves:  verify
-- returns: one row if logs_by_address differs from logs
-- reads:   logs, logs_by_address
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, address, topic0, block_number, log_index, topic1, topic2, topic3 FROM logs WHERE {{visible}} LIMIT 1 BY block_number, log_index)),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, address, topic0, block_number, log_index, topic1, topic2, topic3 FROM logs_by_address WHERE {{visible}}
        LIMIT 1 BY address, topic0, block_number, log_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
