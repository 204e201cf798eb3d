-- name:    self_audits
-- serves:  getAudit, getStatus
-- returns: last result of each consistency check; of checks of single tokens, only those of the last two days
-- reads:   self_audits, full scan
-- budget:  5 s, 64 MiB, 1000 rows
SELECT name, expected, actual, toString(through) AS through_block, detail, toUnixTimestamp64Milli(checked_at) AS checked_at_ms
FROM (SELECT * FROM self_audits FINAL)
-- checks of random tokens: new ones every hour
WHERE NOT startsWith(name, 'holders_equal_supply:') OR checked_at > now64() - INTERVAL 2 DAY
ORDER BY name
LIMIT 1000
