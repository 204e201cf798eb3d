-- name:    agent_count
-- serves:  listAiAgents
-- params:  contract: 40 hex digits of the agent registry | registered: first topic of registrations
--          | retired: first topic of retirements | testified: first topic of testimonies
--          | with_status: 1 for retired agents, 0 for active ones
-- returns: one row: number of AI agents that ever registered
-- reads:   logs_by_address by primary key
-- budget:  20 s, 2048 MiB, 1 row
SELECT count() AS agents FROM ({{registered_agents}})
/*?with_status:*/ WHERE is_retired = {with_status:UInt8} /*?;*/
