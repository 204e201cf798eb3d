-- name:    drop_marker
-- serves:  pipeline
-- returns: nothing; deletes the marker table of a pipeline process. Its writes of new blocks then fail
-- reads:   nothing
-- budget:  60 s, 64 MiB, 1 row
DROP TABLE IF EXISTS {table:Identifier} SYNC
