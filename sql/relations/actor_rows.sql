-- Roles of addresses in blocks, such as sender: one row per block, address and role; rows may repeat. @source: the WHERE
-- condition on the columns `final` and `block_number`. pipeline/encode/block-figures.ts lists the roles.
SELECT kind, address, block_number, timestamp
FROM block_figures
ARRAY JOIN actor_kinds AS kind, actors AS address
WHERE @source
