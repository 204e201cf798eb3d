-- name:    source_text
-- serves:  getRegistryManifest, getEcosystemDirectory
-- params:  sha256: 64 hex digits
-- returns: text of the external document with this hash; no row if it was replaced
-- reads:   source_documents by primary key
-- budget:  30 s, 2048 MiB, 1 row
SELECT document FROM source_documents
WHERE name = {name:String} AND sha256 = unhex({sha256:String})
ORDER BY stored_at DESC
LIMIT 1
