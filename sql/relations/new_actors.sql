-- Addresses that have a role (such as sender) for the first time in the selected blocks, which start at block {from_block}. Returns
-- one row per role and address. Pass a condition on final and block_number as @source.
-- actor_firsts stores the rows of complete hours. Each request computes the rows of later blocks.
SELECT kind, address, min(rows.block_number) AS first_block, min(rows.timestamp) AS first_time
FROM ({{actor_rows(@source)}}) AS rows
GROUP BY kind, address
HAVING (kind, address) NOT IN
(
    SELECT kind, address FROM actor_firsts
    WHERE first_block < {from_block:UInt64} AND (kind, address) IN (SELECT kind, address FROM ({{actor_rows(@source)}}))
)
