-- name:    delete_eras
-- serves:  rewind
-- params:  table Identifier | era UInt64 inclusive
-- returns: nothing; waits until rows of this era and later are gone
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE era >= {era:UInt64} SETTINGS mutations_sync = 2
