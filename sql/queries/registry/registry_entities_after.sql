-- name:    registry_entities_after
-- serves:  listRegistryStrings, listTokenizedAssets
-- params:  kind: wallet, contract or another kind; empty: all | at_kind: kind of the last row of the previous page, 0 for the first page
--          | at_id: 64 hex digits: id of the last row of the previous page
-- returns: entities (named wallets, contracts, organizations) of the registry file after the given position, by kind and id
-- reads:   registry_entities by primary key
-- budget:  10 s, 1024 MiB, 201 rows
SELECT
{{registry_entity_columns}}
FROM registry_entities
WHERE manifest = unhex({manifest:String}) AND if({kind:String} = '', 1, toString(kind) = {kind:String})
  AND (toInt8(kind), id) > ({at_kind:Int8}, toFixedString(unhex({at_id:String}), 32))
ORDER BY registry_entities.kind, registry_entities.id
LIMIT 1 BY registry_entities.kind, registry_entities.id
LIMIT {limit:UInt32}
