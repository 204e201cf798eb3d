-- name:    newest_reorg
-- serves:  pipeline
-- returns: one row: detection time of the newest recorded reorg, Unix milliseconds; 0 if there is none
-- reads:   reorgs, full scan of one column
-- budget:  5 s, 64 MiB, 1 row
SELECT toUnixTimestamp64Milli(max(detected_at)) AS detected_ms FROM reorgs
