-- name:    drop_marker
-- serves:  pipeline
-- params:  table Identifier name of a table
-- returns: nothing; deletes a marker table of a claim, so that statements that name it fail from now on
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
DROP TABLE IF EXISTS {table:Identifier} SYNC
