-- name:    stop_sql
-- serves:  runSql, cancelSqlQuery
-- returns: nothing; stops the query
-- reads:   system.processes
-- budget:  5 s, 64 MiB, 1 row
KILL QUERY WHERE position(query, {mark:String}) > 0 AND query NOT LIKE 'KILL%' ASYNC
