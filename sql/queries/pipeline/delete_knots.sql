-- name:    delete_knots
-- serves:  repair, rewind
-- returns: nothing; deletes the rows of these blocks, and waits
-- reads:   the table, full scan
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} SETTINGS mutations_sync = 2
