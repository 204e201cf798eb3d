-- Roles of addresses in blocks, such as sender: one row per block, address and role; may repeat rows. @source stands for a
-- condition on final and block_number. pipeline/encode/block-figures.ts lists the roles.
SELECT kind, address, block_number, timestamp
FROM block_figures
ARRAY JOIN actor_kinds AS kind, actors AS address
WHERE @source
