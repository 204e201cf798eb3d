-- name:    empty_table
-- serves:  rollups, rewind
-- params:  table Identifier
-- returns: nothing; the table has no rows
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
TRUNCATE TABLE {table:Identifier}
