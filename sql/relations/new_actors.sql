-- Addresses that have a role (such as sender) for the first time in the selected blocks, which start at {from_block}: one row
-- per role and address. @source stands for a condition on final and block_number.
-- Table actor_firsts has the rows of complete hours. Requests compute the rows of later blocks.
SELECT kind, address, min(rows.block_number) AS first_block, min(rows.timestamp) AS first_time
FROM ({{actor_rows(@source)}}) AS rows
GROUP BY kind, address
HAVING (kind, address) NOT IN
(
    SELECT kind, address FROM actor_firsts
    WHERE first_block < {from_block:UInt64} AND (kind, address) IN (SELECT kind, address FROM ({{actor_rows(@source)}}))
)
