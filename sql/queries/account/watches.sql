-- name:    watches
-- serves:  api, listWatches, createWatch, getWatch, deleteWatch, replayWatch
-- params:  owner: identity; empty: all identities
-- returns: one row per watch (webhook for transfers) with its progress, oldest first
-- reads:   watches and watch_progress, full scan: few rows
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT w.id AS id, w.owner AS owner, w.network AS network, w.name AS name, w.url AS url,
    toUnixTimestamp64Milli(w.created_at) AS created_ms, p.position AS position,
    p.delivered AS delivered, toUnixTimestamp64Milli(p.delivered_at) AS delivered_ms, p.attempts AS attempts,
    toUnixTimestamp64Milli(p.failing_since) AS failing_ms, toUnixTimestamp64Milli(p.retry_at) AS retry_ms, p.is_paused AS is_paused,
    p.last_error AS last_error, p.version AS version
FROM (SELECT * FROM watches FINAL WHERE is_removed = 0 AND ({owner:String} = '' OR owner = {owner:String})) AS w
INNER JOIN (
    SELECT * FROM watch_progress FINAL
    WHERE watch_id IN (SELECT id FROM watches FINAL WHERE is_removed = 0 AND ({owner:String} = '' OR owner = {owner:String}))
) AS p ON p.watch_id = w.id
ORDER BY w.created_at, w.id
