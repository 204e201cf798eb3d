-- name:    empty_table
-- serves:  rollups, rewind
-- params:  table Identifier
-- returns: nothing; waits until the rows are deleted. TRUNCATE would not accept a condition
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE 1 SETTINGS mutations_sync = 2
