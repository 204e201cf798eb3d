-- name:    rewards_minted
-- serves:  getSupplyReconciliation
-- params:  snapshot | contract String 40 hex digits
-- returns: one row: rewards that the contract said were minted, by RewardMinted(address indexed producer, uint256 amount), and their amount in wei
-- reads:   logs_by_address by key, logs at the places found
-- budget:  20 s, 1024 MiB, 1 row
SELECT count() AS reward_count, toString(sum(amount)) AS amount_sum
FROM
(
    SELECT reinterpretAsUInt256(reverse(substring(data, 1, 32))) AS amount
    FROM logs
    WHERE {{visible}} AND topic_count = 2 AND length(data) = 32 AND (block_number, log_index) IN
    (
        SELECT block_number, log_index FROM logs_by_address
        WHERE address = unhex({contract:String}) AND {{visible}} AND topic0 = unhex('e8ea3d4dd0a2eaaf3f7532ad391255544f8a4bcf78f850bbff61d5bac9f77552')
    )
    LIMIT 1 BY block_number, log_index
)
