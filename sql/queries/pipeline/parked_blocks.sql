-- name:    parked_blocks
-- serves:  pipeline, getStatus
-- returns: quarantined blocks (no node has returned valid data yet), lowest first
-- reads:   parked_blocks, full scan
-- budget:  5 s, 64 MiB, 100_000 rows
SELECT block_number, reason, attempts, toUnixTimestamp64Milli(written_at) AS written_at_ms, version
FROM parked_blocks FINAL
WHERE resolved = 0
ORDER BY block_number
