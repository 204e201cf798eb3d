-- name:    registry_children
-- serves:  getRegistryEntity
-- returns: entities of the registry file with this parent, by kind and id. Every row repeats the number of these entities
-- reads:   registry_entities of the file
-- budget:  5 s, 512 MiB, 1_001 rows
SELECT kind AS kind_name, concat('0x', lower(hex(id))) AS id_hex, label, count() OVER () AS total
FROM (SELECT kind, id, label FROM registry_entities WHERE manifest = unhex({manifest:String}) AND parent = unhex({id:String}) LIMIT 1 BY kind, id)
ORDER BY kind, id
LIMIT {limit:UInt32}
