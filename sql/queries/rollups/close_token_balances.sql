-- name:    close_token_balances
-- serves:  rollups
-- params:  to_block: last block of the complete rollup windows that start at from_block
-- returns: nothing; writes token_balance_eras: balance changes by token, holder and rollup window
-- reads:   logs by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_balance_eras (era, token, standard, token_id, holder, delta, delta_high, transfer_count)
SELECT intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, token_id, holder, sum(delta) AS delta, sum(delta_high) AS delta_high,
    count() AS transfer_count
FROM ({{token_deltas({{token_transfers_of_finalized_logs}})}})
GROUP BY era, token, standard, token_id, holder
