-- name:    view_contract_creations
-- serves:  verify
-- returns: one row if contract_creations differs from the contracts created by transactions
-- reads:   transactions, contract_creations
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, assumeNotNull(contract_address) AS address, block_number, tx_index, hash, from, timestamp FROM transactions
        WHERE contract_address IS NOT NULL AND ifNull(status, 1) = 1 AND {{visible}} LIMIT 1 BY block_number, tx_index)),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, address, block_number, tx_index, tx_hash, creator, timestamp FROM contract_creations WHERE {{visible}}
        LIMIT 1 BY address, block_number, tx_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
