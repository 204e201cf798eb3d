-- name:    saved_query
-- serves:  getSavedSql, saveSqlVersion, deleteSavedSql, setSqlSchedule, deleteSqlSchedule, listSqlResults, getSqlResult
-- returns: versions of a saved query, newest first
-- reads:   saved_queries by primary key
-- budget:  5 s, 128 MiB, 1_000 rows
SELECT number, owner, title, sql, parameters, at, toUnixTimestamp64Milli(created_at) AS created_ms
FROM saved_queries FINAL
WHERE id = {id:String} AND is_removed = 0
ORDER BY number DESC
