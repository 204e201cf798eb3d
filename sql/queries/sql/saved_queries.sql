-- name:    saved_queries
-- serves:  listSavedSql, saveSql
-- returns: newest version of each query that the identity saved, newest query first
-- reads:   saved_queries: column owner in full, other columns only in granules with rows of this owner. The owner of a query
--          never changes
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT id, number, owner, title, sql, parameters, at, toUnixTimestamp64Milli(created_at) AS created_ms
FROM saved_queries FINAL
PREWHERE owner = {owner:String}
WHERE is_removed = 0
ORDER BY id, number DESC
LIMIT 1 BY id
