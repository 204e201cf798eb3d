-- name:    empty_table
-- serves:  rollups, rewind
-- returns: nothing; waits until all rows are deleted. Uses ALTER TABLE, because TRUNCATE does not accept the condition that this
--          process may write
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE 1 SETTINGS mutations_sync = 2
