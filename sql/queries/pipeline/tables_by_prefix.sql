-- name:    tables_by_prefix
-- serves:  pipeline
-- params:  prefix: start of the names
-- returns: names of tables of this database that start with the prefix
-- reads:   system.tables
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT name
FROM system.tables
WHERE database = currentDatabase() AND startsWith(name, {prefix:String})
ORDER BY name
