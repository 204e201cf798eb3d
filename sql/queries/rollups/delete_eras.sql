-- name:    delete_eras
-- serves:  rewind
-- params:  table Identifier | era UInt64 inclusive
-- returns: nothing; waits until rows of this rollup window and later are deleted
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE era >= {era:UInt64} SETTINGS mutations_sync = 2
