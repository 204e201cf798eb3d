-- name:    sql_schedules
-- serves:  api, listSavedSql, getSavedSql, setSqlSchedule, deleteSqlSchedule
-- params:  owner: identity; empty: all identities | query_id: saved query; empty: all queries
-- returns: schedules of saved queries with the progress of their notifications
-- reads:   sql_schedules, full scan: few rows
-- budget:  5 s, 128 MiB, 10_000 rows
SELECT query_id, owner, every_minutes, url, toUnixTimestamp64Milli(next_at) AS next_ms, toUnixTimestamp64Milli(sent_through) AS sent_ms,
    attempts, toUnixTimestamp64Milli(failing_since) AS failing_ms, toUnixTimestamp64Milli(retry_at) AS retry_ms, is_paused, last_error, version,
    network
FROM sql_schedules FINAL
WHERE is_removed = 0 AND ({owner:String} = '' OR owner = {owner:String}) AND ({query_id:String} = '' OR query_id = {query_id:String})
ORDER BY query_id
