-- name:    recent_audits
-- serves:  getStatus
-- returns: one row: number of block ranges audited in the last 24 hours, number of rows that differed from the node, newest
--          difference as text
-- reads:   audits by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT count() AS windows, toUInt64(sum(audits.differences)) AS differences, toUnixTimestamp64Milli(max(audited_at)) AS last_at_ms,
    argMaxIf(detail, audited_at, audits.differences > 0) AS last_difference
FROM audits
WHERE audited_at > now() - INTERVAL 1 DAY
