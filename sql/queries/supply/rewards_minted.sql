-- name:    rewards_minted
-- serves:  getSupplyReconciliation
-- params:  contract: 40 hex digits: contract that mints block rewards
-- returns: one row: number of block rewards and their amount in wei, from events RewardMinted(address indexed producer, uint256
--          amount)
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 1 row
SELECT count() AS reward_count, toString(sum(amount)) AS amount_sum
FROM ({{rewards_of_contract(1)}})
