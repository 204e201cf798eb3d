-- name:    drop_marker
-- serves:  pipeline
-- params:  table Identifier
-- returns: nothing; removals that name this mark are refused from now on
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
DROP TABLE IF EXISTS {table:Identifier} SYNC
