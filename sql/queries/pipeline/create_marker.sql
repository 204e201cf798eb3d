-- name:    create_marker
-- serves:  pipeline
-- params:  table Identifier name of a table
-- returns: nothing; creates the empty table that allows a pipeline process to write new blocks as long as the table exists
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null
