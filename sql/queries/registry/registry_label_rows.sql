-- name:    registry_label_rows
-- serves:  listRegistryLabels
-- params:  kind: wallet, contract or another kind; empty: all
-- returns: names of all entities of a registry file, by kind and id
-- reads:   registry_entities by primary key
-- budget:  60 s, 4096 MiB, 1_000_000 rows
SELECT toString(kind) AS kind_name, concat('0x', lower(hex(id))) AS id_hex, label,
    if(address IS NULL, NULL, concat('0x', lower(hex(assumeNotNull(address))))) AS address_hex, category
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND if({kind:String} = '', 1, toString(kind) = {kind:String})
ORDER BY registry_entities.kind, registry_entities.id
LIMIT 1 BY registry_entities.kind, registry_entities.id
