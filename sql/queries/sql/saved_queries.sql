-- name:    saved_queries
-- serves:  listSavedSql, saveSql
-- returns: the newest version of each query that the identity saved, the newest query first
-- reads:   saved_queries, full scan: few rows
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT id, number, owner, title, sql, parameters, at, toUnixTimestamp64Milli(created_at) AS created_ms
FROM saved_queries FINAL
WHERE owner = {owner:String} AND is_removed = 0
ORDER BY id, number DESC
LIMIT 1 BY id
