-- name:    pipelines
-- serves:  getStatus
-- returns: pipeline processes with a heartbeat in the last ten minutes, newest first, with the time since the heartbeat, ms
-- reads:   workers, full scan: one row per run of a process
-- budget:  5 s, 64 MiB, 10_000 rows
SELECT worker, role, is_stopped, report, toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(seen_at) AS silent_ms
FROM workers FINAL
WHERE seen_at > now64(3) - INTERVAL 10 MINUTE
    AND report != 'null' -- a command such as rederive, which is no pipeline but can hold the head claim
ORDER BY seen_at DESC
