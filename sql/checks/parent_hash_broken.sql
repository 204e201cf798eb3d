-- name:    parent_hash_broken
-- serves:  verify
-- returns: visible blocks whose parent hash is not the hash of the block before
-- reads:   blocks: number and hashes
-- budget:  300 s, 4096 MiB, 100 rows
SELECT concat('block ', toString(block_number), ' does not link to the block before') AS detail
FROM
(
    SELECT block_number, parent_hash, lagInFrame(block_number) OVER w AS number_before, lagInFrame(hash) OVER w AS hash_before
    FROM (SELECT block_number, hash, parent_hash FROM blocks WHERE {{visible}} LIMIT 1 BY block_number)
    WINDOW w AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE block_number > 0 AND number_before = block_number - 1 AND number_before + 1 = block_number
  AND hash_before != toFixedString('', 32) AND parent_hash != hash_before
LIMIT 100
