-- name:    view_internal_calls_by_address
-- serves:  verify
-- returns: one row if internal_calls_by_address differs from internal_calls
-- reads:   internal_calls, internal_calls_by_address
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, arrayJoin(arrayDistinct([from, ifNull(to, from)])) AS address, block_number, tx_index, call_index, tx_hash, timestamp,
        type, from, ifNull(to, toFixedString('', 20)) AS recipient, value, gas, gas_used, trace_id, error
        FROM (SELECT * FROM internal_calls WHERE {{visible}} LIMIT 1 BY block_number, tx_index, call_index))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, address, block_number, tx_index, call_index, tx_hash, timestamp, type, from,
        ifNull(to, toFixedString('', 20)) AS recipient, value, gas, gas_used, trace_id, error FROM internal_calls_by_address WHERE {{visible}}
        LIMIT 1 BY address, block_number, tx_index, call_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
