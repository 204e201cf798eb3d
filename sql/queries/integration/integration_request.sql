-- name:    integration_request
-- serves:  postIntegrationRequest
-- returns: time and digest of the integration request (sent through the contact form) with this id, or no row
-- reads:   integration_requests by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT body_sha256, toUnixTimestamp64Milli(received_at) AS received_ms
FROM integration_requests
WHERE id = {id:String}
ORDER BY received_at
LIMIT 1
