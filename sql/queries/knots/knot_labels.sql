-- name:    knot_labels
-- serves:  pipeline
-- returns: name and category of each address in the current registry file (list of named addresses); of several entries, the
--          first kind
-- reads:   registry_labels and source_documents by primary key
-- budget:  20 s, 512 MiB, 100_000 rows
SELECT concat('0x', lower(hex(address))) AS address_hex, label, category
FROM registry_labels
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
  AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address, kind, id
LIMIT 1 BY address
