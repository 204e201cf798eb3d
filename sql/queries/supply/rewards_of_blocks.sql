-- name:    rewards_of_blocks
-- serves:  compatible block.getblockreward, compatible account.getminedblocks
-- params:  contract: 40 hex digits: contract that mints block rewards | producers: 40 hex digits: producer of each block
-- returns: reward of the producer in wei, from events of the contract, per given block with a reward
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 10_001 rows
SELECT block_number, toString(sum(amount)) AS wei
FROM ({{rewards_of_contract(block_number IN {blocks:Array(UInt64)})}})
WHERE lower(hex(producer)) = {producers:Array(String)}[indexOf({blocks:Array(UInt64)}, block_number)]
GROUP BY block_number
