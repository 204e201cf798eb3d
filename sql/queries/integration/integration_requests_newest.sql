-- name:    integration_requests_newest
-- serves:  api
-- returns: integration requests sent through the contact form, newest first
-- reads:   integration_requests, full scan
-- budget:  30 s, 1024 MiB, 100_000 rows
SELECT id, toUnixTimestamp64Milli(received_at) AS received_ms, organization, contact_email, website, type, chain_use, message, expected_volume, sender_address
FROM integration_requests
ORDER BY received_at DESC, id
LIMIT 1 BY id
LIMIT {limit:UInt32}
