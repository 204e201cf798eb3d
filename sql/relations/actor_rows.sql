-- Roles of addresses in the blocks that the argument, a condition on final and block_number, selects; may contain duplicates.
-- grain: one row per role of an address in a block. pipeline/encode/block-figures.ts lists the roles.
SELECT kind, address, block_number, timestamp
FROM block_figures
ARRAY JOIN actor_kinds AS kind, actors AS address
WHERE @source
