-- name:    pipelines
-- serves:  getStatus
-- returns: pipeline processes with a heartbeat in the last ten minutes, newest first, and time since the heartbeat, ms
-- reads:   workers, full scan
-- budget:  5 s, 64 MiB, 10_000 rows
SELECT worker, role, is_stopped, report, toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(seen_at) AS silent_ms
FROM workers FINAL
WHERE seen_at > now64(3) - INTERVAL 10 MINUTE
    AND report != 'null' -- without commands such as rederive, which can hold the head claim
ORDER BY seen_at DESC
