-- name:    registry_entity_of_address
-- serves:  getRegistryEntity, search
-- params:  kind: wallet or contract
-- returns: entity of the registry file with this kind and address, or no row
-- reads:   registry_labels and registry_entities by primary key
-- budget:  5 s, 512 MiB, 1 row
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND id IN
    (SELECT id FROM registry_labels
        WHERE manifest = unhex({manifest:String}) AND address = toFixedString(unhex({address:String}), 20) AND toString(kind) = {kind:String})
LIMIT 1
