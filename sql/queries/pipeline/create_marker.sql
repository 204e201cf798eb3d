-- name:    create_marker
-- serves:  pipeline
-- params:  table Identifier
-- returns: nothing; creates an empty table that marks a claim to the head as valid
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null
