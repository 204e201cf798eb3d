-- name:    delete_above
-- serves:  rewind
-- params:  table Identifier | above UInt64 exclusive
-- returns: nothing; waits until the rows are deleted
-- reads:   the table's partitions that reach above
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE block_number > {above:UInt64} SETTINGS mutations_sync = 2
