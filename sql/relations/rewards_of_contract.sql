-- Block rewards that {contract} mints: one row per event RewardMinted(address indexed producer, uint256 amount). @source stands
-- for a condition on block_number.
SELECT block_number, timestamp, toFixedString(substring(topic1, 13, 20), 20) AS producer, reinterpretAsUInt256(reverse(substring(data, 1, 32))) AS amount
FROM logs
WHERE {{visible}} AND topic_count = 2 AND length(data) = 32 AND (block_number, log_index) IN
(
    SELECT block_number, log_index FROM logs_by_address
    WHERE address = unhex({contract:String}) AND {{visible}} AND @source
      AND topic0 = unhex('e8ea3d4dd0a2eaaf3f7532ad391255544f8a4bcf78f850bbff61d5bac9f77552')
)
LIMIT 1 BY block_number, log_index
