-- name:    tables_except
-- serves:  pipeline
-- params:  kept: names of tables to omit
-- returns: names of all other tables that store rows
-- reads:   system.tables
-- budget:  5 s, 64 MiB, 1_000 rows
SELECT name
FROM system.tables
WHERE `database` = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT IN {kept:Array(String)}
ORDER BY name
