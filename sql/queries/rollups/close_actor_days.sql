-- name:    close_actor_days
-- serves:  rollups
-- params:  bucket_seconds: 86400 | to_block: last block of the complete days that start at from_block
-- returns: nothing; writes actor_days: the addresses active on each day, by role
-- reads:   block_figures by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO actor_days (day, kind, address)
SELECT DISTINCT {{bucket_start}} AS day, kind, address
FROM ({{actor_rows(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
