-- name:    blocks
-- orders:  asc, desc
-- serves:  listAnchors, listLatestAnchors
-- returns: blocks; may repeat rows
-- reads:   blocks by primary key
-- budget:  10 s, 512 MiB, 201 rows
SELECT
{{block_columns}}
FROM blocks
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND transaction_count >= {min_transactions:UInt32} AND if({miner:String} = '', 1, miner = toFixedString(unhex({miner:String}), 20))
ORDER BY {{in_order(block_number)}}
LIMIT {limit:UInt32}
