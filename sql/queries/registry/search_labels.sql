-- name:    search_labels
-- serves:  search
-- returns: entities of the current registry file whose name contains the text: exact names first, then names that start with
--          it, then names with a word that does
-- reads:   registry_entities of the current file, source_documents by primary key
-- budget:  10 s, 512 MiB, 201 rows
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = (SELECT argMax(sha256, stored_at) FROM source_documents WHERE name = 'registry_manifest')
  AND positionCaseInsensitiveUTF8(label, {text:String}) > 0
ORDER BY lowerUTF8(label) = lowerUTF8({text:String}) DESC, startsWith(lowerUTF8(label), lowerUTF8({text:String})) DESC,
    position(lowerUTF8(label), concat(' ', lowerUTF8({text:String}))) > 0 DESC, lengthUTF8(label), registry_entities.kind, registry_entities.id
LIMIT 1 BY registry_entities.id
LIMIT {limit:UInt32}
