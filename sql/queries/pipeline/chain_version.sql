-- name:    chain_version
-- serves:  every route
-- params:  none
-- returns: the version of each unmerged state, in no order: the highest is the state's; no row before the first start
-- reads:   column version of chain_state: a few unmerged rows; half the time of reading and sorting them whole
-- budget:  5 s, 64 MiB, 10_000 rows
SELECT version FROM chain_state
