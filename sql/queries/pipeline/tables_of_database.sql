-- name:    tables_of_database
-- serves:  repair
-- params:  database: name of a database
-- returns: one row: number of tables in the database
-- reads:   system.tables
-- budget:  10 s, 64 MiB, 1 row
SELECT count() AS tables FROM system.tables WHERE database = {database:String}
