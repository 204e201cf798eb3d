-- name:    block_by_hash
-- serves:  getAnchor
-- returns: the block with this hash, or no row
-- reads:   block_hashes and blocks by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT
{{block_columns}}
FROM blocks
WHERE {{visible}}
  AND block_number IN (SELECT block_number FROM block_hashes WHERE hash_prefix = toFixedString(substring(unhex({hash:String}), 1, 8), 8) AND {{visible}})
  AND hash = toFixedString(unhex({hash:String}), 32)
LIMIT 1
