-- name:    chain_state
-- serves:  pipeline, every route
-- params:  none
-- returns: the state with the highest version, or no row before the first start
-- reads:   chain_state whole: a few unmerged rows
-- budget:  5 s, 64 MiB, 1 row
SELECT
    version, start_block, backfilled_before, follow_from, finalized, head, concat('0x', lower(hex(head_hash))) AS head_hash,
    chain_head, dropped_through, parked, epoch, era_through, toUInt32(hour_through) AS hour_through, toUInt32(day_through) AS day_through,
    toUnixTimestamp64Milli(updated_at) AS updated_at_ms
FROM chain_state
ORDER BY version DESC
LIMIT 1
