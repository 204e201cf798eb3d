-- name:    knot_labels
-- serves:  pipeline
-- returns: one row per address that the current registry file (list of named addresses) contains: its name and category; of several
--          entries, the first kind
-- reads:   registry_labels by primary key, source_documents by primary key
-- budget:  20 s, 512 MiB, 100_000 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, label, category
FROM registry_labels
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
  AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address, kind, id
LIMIT 1 BY address
