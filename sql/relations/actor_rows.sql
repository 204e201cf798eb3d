-- Roles of addresses in blocks, such as sender. @source, the argument of this fragment, is a condition on final and block_number.
-- Returns one row per block, address and role; may repeat rows. pipeline/encode/block-figures.ts lists the roles.
SELECT kind, address, block_number, timestamp
FROM block_figures
ARRAY JOIN actor_kinds AS kind, actors AS address
WHERE @source
