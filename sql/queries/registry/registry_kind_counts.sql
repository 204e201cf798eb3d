-- name:    registry_kind_counts
-- serves:  getRegistryStats
-- returns: number of entities of a registry file by kind
-- reads:   registry_entities by primary key
-- budget:  10 s, 1024 MiB, 16 rows
SELECT kind, count() AS entities
FROM (SELECT kind, id FROM registry_entities WHERE manifest = unhex({manifest:String}) LIMIT 1 BY kind, id)
GROUP BY kind
