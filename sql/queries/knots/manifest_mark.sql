-- name:    manifest_mark
-- serves:  pipeline
-- returns: one row: a number that identifies the current registry file, 0 if there is none
-- reads:   source_documents by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT bitAnd(reinterpretAsUInt64(substring(argMax(sha256, stored_at), 1, 8)), 4503599627370495) AS mark
FROM source_documents
WHERE name = 'registry_manifest'
