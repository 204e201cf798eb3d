-- name:    agents_of_contract
-- serves:  listAiAgents, listTestimonies
-- params:  contract: 40 hex digits of the agent registry | registered: first topic of registrations
--          | retired: first topic of retirements | testified: first topic of testimonies
-- returns: one row per AI agent that ever registered at the contract, newest first registration first: positions of its first and
--          last registration and of its retirement; number of its testimonies and block of the last one
-- reads:   logs_by_address by primary key
-- budget:  20 s, 2048 MiB, 10_000 rows
SELECT concat('0x', lower(hex(substring(agent, 13, 20)))) AS agent_hex, first_at.1 AS first_block, first_at.2 AS first_index,
    last_at.1 AS profile_block, last_at.2 AS profile_index,
    retired_at.1 AS retired_block, registrations > 0 AND retirements > 0 AND retired_at > last_at AS is_retired, testimonies, last_testimony
FROM
(
    SELECT topic1 AS agent, minIf((block_number, log_index), topic0 = unhex({registered:String})) AS first_at,
        maxIf((block_number, log_index), topic0 = unhex({registered:String})) AS last_at,
        maxIf((block_number, log_index), topic0 = unhex({retired:String})) AS retired_at, countIf(topic0 = unhex({registered:String})) AS registrations,
        countIf(topic0 = unhex({retired:String})) AS retirements, countIf(topic0 = unhex({testified:String})) AS testimonies,
            maxIf(block_number, topic0 = unhex({testified:String})) AS last_testimony
    FROM
    (
        SELECT block_number, log_index, topic0, topic1 FROM logs_by_address
        WHERE address = unhex({contract:String}) AND topic0 IN (unhex({registered:String}), unhex({retired:String}), unhex({testified:String})) AND {{visible}}
        LIMIT 1 BY block_number, log_index
    )
    GROUP BY topic1
    HAVING registrations > 0
)
ORDER BY first_at DESC
LIMIT {limit:UInt32}
