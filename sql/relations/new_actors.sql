-- Addresses whose first appearance in a role is in the rows that the argument selects, which start at block {from_block}.
-- grain: one row per kind and address; stored in actor_firsts, and computed live after the last closed hour.
SELECT kind, address, min(rows.block_number) AS first_block, min(rows.timestamp) AS first_time
FROM ({{actor_rows(@source)}}) AS rows
GROUP BY kind, address
HAVING (kind, address) NOT IN
(
    SELECT kind, address FROM actor_firsts
    WHERE first_block < {from_block:UInt64} AND (kind, address) IN (SELECT kind, address FROM ({{actor_rows(@source)}}))
)
