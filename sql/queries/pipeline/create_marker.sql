-- name:    create_marker
-- serves:  pipeline
-- returns: nothing; creates the empty marker table of a pipeline process. While it exists, the process may write new blocks
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null
