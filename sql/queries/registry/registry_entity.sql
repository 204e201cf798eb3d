-- name:    registry_entity
-- serves:  getRegistryEntity, search
-- params:  manifest String 64 hex digits: hash of the registry file | id String 64 hex digits
-- returns: the entity of the registry file with that id, or no row
-- reads:   registry_entities by primary key: ids are sorted within each kind
-- budget:  5 s, 512 MiB, 1 row
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND id = toFixedString(unhex({id:String}), 32)
LIMIT 1
