-- name:    empty_table
-- serves:  rollups, rewind
-- returns: nothing; deletes all rows, and waits. By ALTER TABLE, because TRUNCATE accepts no condition that this process may
--          write
-- reads:   nothing
-- budget:  60 s, 256 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE 1 SETTINGS mutations_sync = 2
