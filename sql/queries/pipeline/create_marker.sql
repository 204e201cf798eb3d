-- name:    create_marker
-- serves:  pipeline
-- returns: nothing; creates the empty marker table of a pipeline process, which may write new blocks as long as this table exists
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null
