-- name:    registry_entity_of_address
-- serves:  getRegistryEntity, search
-- params:  manifest String 64 hex digits: hash of the registry file | kind String wallet or contract | address String 40 hex digits
-- returns: the entity of the registry file with that kind and address, or no row
-- reads:   registry_labels and registry_entities by primary key
-- budget:  5 s, 512 MiB, 1 row
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND id IN
    (SELECT id FROM registry_labels
        WHERE manifest = unhex({manifest:String}) AND address = toFixedString(unhex({address:String}), 20) AND toString(kind) = {kind:String})
LIMIT 1
