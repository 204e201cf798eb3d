-- name:    chain_state
-- serves:  pipeline, every route
-- returns: all stored versions of the indexing progress, unordered. The highest version is valid; no row before the first start
-- reads:   chain_state, full scan of a few rows. Sorting or formatting them in SQL would take 50 % longer
-- budget:  5 s, 64 MiB, 10_000 rows, first
SELECT
    version, start_block, backfilled_before, follow_from, finalized, head, head_hash,
    chain_head, dropped_through, parked, epoch, era_through, hour_through, day_through, updated_at,
    doubted_from, doubted_since, doubt, reorg_intent, repair_generations, repair_blocks
FROM chain_state
