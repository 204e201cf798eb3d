-- name:    chain_version
-- serves:  every route
-- returns: versions of all rows of the indexing progress, unordered; no row before the first start. Complete rows take twice as
--          long, and most requests already know the newest version
-- reads:   chain_state, full scan of a few rows
-- budget:  5 s, 64 MiB, 10_000 rows, first
SELECT version FROM chain_state
