-- name:    view_transaction_hashes
-- serves:  verify
-- returns: one row if transaction_hashes (positions by hash) differs from transactions
-- reads:   transactions, transaction_hashes
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, toFixedString(substring(hash, 1, 8), 8) AS hash_prefix, block_number, tx_index FROM transactions WHERE {{visible}}
        LIMIT 1 BY block_number, tx_index)),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT final, hash_prefix, block_number, tx_index FROM transaction_hashes WHERE {{visible}} LIMIT 1 BY hash_prefix, block_number, tx_index))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
