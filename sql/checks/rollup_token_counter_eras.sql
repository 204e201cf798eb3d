-- name:    rollup_token_counter_eras
-- serves:  verify
-- params:  era_through UInt64 first block after the rollup windows (block ranges with stored totals)
--          | era_blocks UInt64 blocks per rollup window
-- returns: one row if the stored totals of rollup windows differ from a recount of logs; no rows if consistent
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
