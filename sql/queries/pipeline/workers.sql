-- name:    workers
-- serves:  pipeline
-- returns: pipeline processes that have not reported their end, and commands with the head claim; time since their heartbeat,
--          ms
-- reads:   workers, full scan
-- budget:  10 s, 64 MiB, 100_000 rows
SELECT worker, host, pid, role, report = 'null' AS is_command, toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(seen_at) AS silent_ms
FROM workers FINAL
WHERE is_stopped = 0
ORDER BY worker
