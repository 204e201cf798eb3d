-- name:    rewards_of_blocks
-- serves:  compatible block.getblockreward, compatible account.getminedblocks
-- params:  contract: 40 hex digits: contract that mints block rewards | producers: 40 hex digits: producer of each block
-- returns: one row per given block with a reward for its producer, according to events of the contract: the amount in wei
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 10_001 rows
SELECT block_number, toString(sum(amount)) AS wei
FROM ({{rewards_of_contract(block_number IN {blocks:Array(UInt64)})}})
WHERE lower(hex(producer)) = {producers:Array(String)}[indexOf({blocks:Array(UInt64)}, block_number)]
GROUP BY block_number
