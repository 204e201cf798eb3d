-- name:    current_manifest
-- serves:  pipeline
-- returns: SHA-256 of the current registry file (list of named addresses), 64 hex digits; empty if there is none
-- reads:   source_documents by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT lower(hex(argMax(sha256, stored_at))) AS sha256_hex
FROM source_documents
WHERE name = 'registry_manifest'
HAVING count() > 0
