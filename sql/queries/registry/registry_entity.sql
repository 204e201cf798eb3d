-- name:    registry_entity
-- serves:  getRegistryEntity, search
-- returns: entity (named wallet, contract, organization) of the registry file with this id, or no row
-- reads:   registry_entities by primary key: in each kind, ids are sorted
-- budget:  5 s, 512 MiB, 1 row
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND id = toFixedString(unhex({id:String}), 32)
LIMIT 1
