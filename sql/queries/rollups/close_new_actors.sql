-- name:    close_new_actors
-- serves:  rollups
-- params:  to_block: last block of the complete hours that start at from_block
-- returns: nothing; writes actor_firsts: addresses with a role for the first time
-- reads:   block_figures by primary key, actor_firsts for the addresses found
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO actor_firsts (kind, address, first_block, first_time)
{{new_actors(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}}
