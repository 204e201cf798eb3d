-- name:    close_holder_counts
-- serves:  rollups
-- params:  to_block: last block of the complete rollup windows that start at from_block
-- returns: nothing; writes token_holder_count_eras: change of the number of holders per token
-- reads:   token_balance_eras: column era in full, other columns of these windows; token_balance_eras_by_holder for the holders
--          found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_holder_count_eras (era, token, standard, gained, lost, held_delta, held_high)
SELECT era, token, standard, countIf(before = 0) AS gained, countIf(after = 0) AS lost,
    sum(reinterpretAsInt256(after) - reinterpretAsInt256(before)) AS held_delta,
    sum(reinterpretAsInt256(bitShiftRight(after, 128)) - reinterpretAsInt256(bitShiftRight(before, 128))) AS held_high
FROM ({{holder_changes}})
GROUP BY era, token, standard
