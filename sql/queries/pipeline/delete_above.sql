-- name:    delete_above
-- serves:  rewind
-- params:  above: last block to keep
-- returns: nothing; deletes the rows of later blocks, and waits
-- reads:   partitions of the table with later blocks
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE block_number > {above:UInt64} SETTINGS mutations_sync = 2
