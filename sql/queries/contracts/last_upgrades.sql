-- name:    last_upgrades
-- serves:  getTransaction, listContractLogs
-- params:  addresses: proxies and beacons, 40 hex digits each | topics: first topics of events that change an implementation, 64 hex digits each
-- returns: block of the newest such event, and number of events, per address with an event
-- reads:   logs_by_address by primary key
-- budget:  5 s, 256 MiB, 1_000 rows
SELECT concat('0x', lower(hex(address))) AS emitter, max(block_number) AS last_block,
    uniqExact(block_number, log_index) AS changes
FROM logs_by_address
WHERE {{visible}} AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
    AND topic0 IN (SELECT toFixedString(unhex(arrayJoin({topics:Array(String)})), 32))
GROUP BY address
