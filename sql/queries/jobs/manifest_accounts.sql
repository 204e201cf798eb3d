-- name:    manifest_accounts
-- serves:  pipeline
-- returns: all addresses in the current registry file
-- reads:   registry_entities by primary key
-- budget:  30 s, 512 MiB, 1_000_000 rows
SELECT DISTINCT concat('0x', lower(hex(assumeNotNull(address)))) AS address FROM registry_entities
WHERE manifest = (SELECT sha256 FROM source_documents FINAL WHERE name = 'registry_manifest') AND isNotNull(registry_entities.address)
ORDER BY address
