-- name:    registry_entity
-- serves:  getRegistryEntity, search
-- params:  manifest String 64 hex digits | id String 64 hex digits, or empty | kind String of the address, or empty | address String 40 hex digits, or empty
-- returns: the entity of that id, or of that kind and address; no row where there is none
-- reads:   registry_entities of the manifest
-- budget:  5 s, 512 MiB, 1 row
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String})
  AND if({id:String} = '', toString(kind) = {kind:String} AND address = toFixedString(unhex({address:String}), 20), id = unhex({id:String}))
LIMIT 1
