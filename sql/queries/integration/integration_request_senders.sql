-- name:    integration_request_senders
-- serves:  postIntegrationRequest
-- params:  since_ms: Unix milliseconds, exclusive
-- returns: requests of this IP network through the contact form after since_ms, oldest first
-- reads:   integration_request_senders by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT DISTINCT place, toUnixTimestamp64Milli(received_at) AS received_ms
FROM integration_request_senders
WHERE sender_network = {network:String} AND received_at > fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC')
ORDER BY received_ms, place
LIMIT {limit:UInt32}
