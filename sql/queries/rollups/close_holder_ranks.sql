-- name:    close_holder_ranks
-- serves:  rollups
-- params:  to_block: last block of the complete rollup windows that start at from_block
-- returns: nothing; writes token_holder_ranks (token holders by balance): voids the old rank of a holder, adds the new one
-- reads:   token_balance_eras: column era in full, other columns of these windows; token_balance_eras_by_holder for the holders
--          found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO token_holder_ranks (token, standard, inverse_balance, holder, is_held, era)
SELECT token, standard, bitNot(place.1) AS inverse_balance, holder, place.2 AS is_held, era
FROM ({{holder_changes}})
ARRAY JOIN [(before, 0), (after, 1)] AS place
WHERE place.1 > 0
