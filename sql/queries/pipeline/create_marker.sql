-- name:    create_marker
-- serves:  pipeline
-- params:  table Identifier
-- returns: nothing; an empty table by whose name statements show that a claim to the head stands
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
CREATE TABLE IF NOT EXISTS {table:Identifier} (held UInt8) ENGINE = Null
