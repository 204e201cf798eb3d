-- name:    rewards_of_blocks
-- serves:  compatible block.getblockreward, compatible account.getminedblocks
-- params:  snapshot | contract String 40 hex digits | blocks Array(UInt64)
-- returns: one row per block of these in which the contract said that rewards were minted: their amount in wei
-- reads:   logs_by_address by key, logs at the places found
-- budget:  20 s, 1024 MiB, 10_001 rows
SELECT block_number, toString(sum(amount)) AS wei
FROM ({{rewards_of_contract(block_number IN {blocks:Array(UInt64)})}})
GROUP BY block_number
