-- name:    rollup_token_balance_eras_by_holder
-- serves:  verify
-- returns: one row if token_balance_eras_by_holder (balance changes per rollup window, a block range) differs from a recount of logs
-- reads:   logs, token_balance_eras_by_holder
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, token_id, holder, sum(delta) AS delta,
        sum(delta_high) AS delta_high, count() AS transfer_count FROM ({{token_deltas({{token_transfers_of_closed_eras}})}})
        GROUP BY era, token, standard, token_id, holder)),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count FROM token_balance_eras_by_holder FINAL
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
