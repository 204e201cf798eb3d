-- name:    chain_version
-- serves:  every route
-- returns: the versions of all stored rows of the indexing progress, unordered; no row before the first start. The whole row takes
--          twice as long, and most requests find the version that they know
-- reads:   chain_state, full scan of a few rows
-- budget:  5 s, 64 MiB, 10_000 rows, first
SELECT version FROM chain_state
