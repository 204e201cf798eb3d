-- name:    drop_marker
-- serves:  pipeline
-- params:  table Identifier
-- returns: nothing; statements that name this marker fail from now on
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
DROP TABLE IF EXISTS {table:Identifier} SYNC
