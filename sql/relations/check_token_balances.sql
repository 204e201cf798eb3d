-- Recounts token balance changes per rollup window of {era_blocks} blocks from logs. Returns one row if the result differs from
-- the table @source, else no row.
WITH
    expected AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, token_id, holder, sum(delta) AS delta,
        sum(delta_high) AS delta_high, count() AS transfer_count FROM ({{token_deltas({{token_transfers_of_closed_eras}})}})
        GROUP BY era, token, standard, token_id, holder)),
    stored AS (SELECT count() AS rows, sum(cityHash64(*)) AS digest
        FROM (SELECT era, token, standard, token_id, holder, delta, delta_high, transfer_count FROM @source FINAL
        WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64})))
SELECT concat('expected ', toString(expected.rows), ' rows, stored ', toString(stored.rows), if(expected.rows = stored.rows, ', content differs', '')) AS detail
FROM expected CROSS JOIN stored
WHERE expected.rows != stored.rows OR expected.digest != stored.digest
