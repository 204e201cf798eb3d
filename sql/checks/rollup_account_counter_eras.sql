-- name:    rollup_account_counter_eras
-- serves:  verify
-- returns: one row if account_counter_eras (account counters per rollup window) differs from a recount
-- reads:   address_roles, account_counter_eras
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest FROM ({{account_counters(final = 1 AND block_number < {era_through:UInt64})}})),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT era, address, transaction_count, sent_count, received_count, log_count, value_in, value_out, fees, first_block, last_block,
        first_time, last_time FROM account_counter_eras FINAL WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
