-- name:    self_audits
-- serves:  getAudit
-- returns: one row per consistency check: its last result
-- reads:   self_audits, full scan
-- budget:  5 s, 64 MiB, 1000 rows
SELECT name, expected, actual, toString(through) AS through_block, detail, toUnixTimestamp64Milli(checked_at) AS checked_at_ms
FROM (SELECT * FROM self_audits FINAL)
ORDER BY name
LIMIT 1000
