-- name:    agents_of_contract
-- serves:  listAiAgents, listTestimonies
-- params:  contract: 40 hex digits of the agent registry | registered: first topic of registrations
--          | retired: first topic of retirements | testified: first topic of testimonies
--          | agents: addresses of the agents to return, 40 hex digits each
--          | with_status: 1 for retired agents, 0 for active ones
--          | at_block: block of a log: only agents whose first registration comes before this log
--          | at_index: index of this log
-- returns: AI agents that ever registered, by first registration, latest first: positions of the first and last registration
--          and of the retirement; number of testimonies, block of the last one
-- reads:   logs_by_address by primary key
-- budget:  20 s, 2048 MiB, 10_000 rows
SELECT agent_hex, first_at.1 AS first_block, first_at.2 AS first_index, last_at.1 AS profile_block, last_at.2 AS profile_index,
    retired_at.1 AS retired_block, is_retired, testimonies, last_testimony
FROM ({{registered_agents}})
WHERE first_at < ({at_block:UInt64}, {at_index:UInt32})
  /*?with_status:*/ AND is_retired = {with_status:UInt8} /*?;*/
  /*?agents:*/ AND substring(agent_hex, 3) IN {agents:Array(String)} /*?;*/
ORDER BY first_at DESC
LIMIT {limit:UInt32}
