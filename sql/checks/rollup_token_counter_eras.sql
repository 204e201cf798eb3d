-- name:    rollup_token_counter_eras
-- serves:  verify
-- returns: one row if token_counter_eras (transfer counts per rollup window) differs from a recount of logs
-- reads:   logs, token_counter_eras
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT era, token, standard, transfer_count, mint_count, burn_count, first_block, last_block, first_time
        FROM ({{token_counters({{token_transfers_of_closed_eras}})}}))),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT era, token, standard, transfer_count, mint_count, burn_count, first_block, last_block, first_time FROM token_counter_eras FINAL
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
