-- AI agents that ever registered at {contract}, one row each: positions (block, log index) of the first and last registration
-- and of the last retirement, whether the agent is retired, number and last block of its testimonies.
SELECT concat('0x', lower(hex(substring(agent, 13, 20)))) AS agent_hex, first_at, last_at, retired_at,
    retirements > 0 AND retired_at > last_at AS is_retired, testimonies, last_testimony
FROM
(
    SELECT topic1 AS agent, countIf(topic0 = unhex({registered:String})) AS registrations,
        minIf((block_number, log_index), topic0 = unhex({registered:String})) AS first_at,
        maxIf((block_number, log_index), topic0 = unhex({registered:String})) AS last_at,
        countIf(topic0 = unhex({retired:String})) AS retirements,
        maxIf((block_number, log_index), topic0 = unhex({retired:String})) AS retired_at,
        countIf(topic0 = unhex({testified:String})) AS testimonies,
        maxIf(block_number, topic0 = unhex({testified:String})) AS last_testimony
    FROM
    (
        SELECT block_number, log_index, topic0, topic1 FROM logs_by_address
        WHERE address = unhex({contract:String})
          AND topic0 IN (unhex({registered:String}), unhex({retired:String}), unhex({testified:String})) AND {{visible}}
        LIMIT 1 BY block_number, log_index
    )
    GROUP BY topic1
    HAVING registrations > 0
)
