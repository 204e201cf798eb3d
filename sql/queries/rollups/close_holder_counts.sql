-- name:    close_holder_counts
-- serves:  rollups
-- params:  era_blocks UInt64 | from_block UInt64 | to_block UInt64 both inclusive, whole eras
-- returns: nothing; writes token_holder_count_eras
-- reads:   token_balance_eras: column era whole, the rest of the window; holder_balance_eras at the keys found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_holder_count_eras (era, token, gained, lost, held_delta)
SELECT era, token, countIf(before <= 0 AND after > 0) AS gained, countIf(before > 0 AND after <= 0) AS lost,
    sum(greatest(after, toInt256(0)) - greatest(before, toInt256(0))) AS held_delta
FROM ({{holder_changes}})
GROUP BY era, token
