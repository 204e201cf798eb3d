-- name:    delete_eras
-- serves:  rewind
-- params:  era: number of the first rollup window (block range) to delete
-- returns: nothing; waits until the rows of this and later rollup windows are deleted
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE era >= {era:UInt64} SETTINGS mutations_sync = 2
