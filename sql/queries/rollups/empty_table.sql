-- name:    empty_table
-- serves:  rollups, rewind
-- params:  table Identifier name of a table
-- returns: nothing; waits until all rows are deleted. Unlike TRUNCATE, ALTER TABLE accepts the condition that this process's claim
--          to write is valid
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE 1 SETTINGS mutations_sync = 2
