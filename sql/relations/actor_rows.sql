-- Who did what in the blocks that the argument selects, a condition on final and block_number; with repetitions.
-- grain: one row a part that an address took in a block. What the parts are says pipeline/encode/block-figures.ts.
SELECT kind, address, block_number, timestamp
FROM block_figures
ARRAY JOIN actor_kinds AS kind, actors AS address
WHERE @source
