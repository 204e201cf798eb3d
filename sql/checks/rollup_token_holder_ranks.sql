-- name:    rollup_token_holder_ranks
-- serves:  verify
-- returns: one row if the stored order or number of token holders differs from a recount of logs
-- reads:   logs, token_holder_ranks, token_holder_count_eras
-- budget:  300 s, 4096 MiB, 10 rows
WITH
    balances AS (SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts, {{amount_of_parts(parts)}} AS balance
        FROM ({{token_deltas({{token_transfers_of_closed_eras}})}}) GROUP BY token, standard, holder HAVING balance > 0),
    expected AS (SELECT count() AS rows, sum(reinterpretAsInt256(balance)) AS held, sum(reinterpretAsInt256(bitShiftRight(balance, 128))) AS high,
        sum(cityHash64(token, standard, holder, balance)) AS digest FROM balances),
    stored AS (SELECT count() AS rows, sum(cityHash64(token, standard, holder, bitNot(inverse_balance))) AS digest
        FROM (SELECT token, standard, holder, inverse_balance, is_held FROM token_holder_ranks FINAL) WHERE is_held = 1),
    counted AS (SELECT toInt64(sum(gained)) - toInt64(sum(lost)) AS rows, sum(held_delta) AS held, sum(held_high) AS high
        FROM token_holder_count_eras FINAL WHERE era < intDiv({era_through:UInt64}, {era_blocks:UInt64}))
SELECT concat('expected ', toString(expected.rows), ' holders, stored ', toString(stored.rows), ', counted ', toString(counted.rows)) AS detail
FROM expected CROSS JOIN stored CROSS JOIN counted
WHERE expected.rows != stored.rows OR expected.digest != stored.digest OR expected.rows != counted.rows OR expected.held != counted.held
    OR expected.high != counted.high
