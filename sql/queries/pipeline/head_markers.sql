-- name:    head_markers
-- serves:  pipeline
-- params:  none
-- returns: marks of claims to the head that are there, by name of their table
-- reads:   system.tables
-- budget:  5 s, 64 MiB, 1_000 rows
SELECT name
FROM system.tables
WHERE `database` = currentDatabase() AND startsWith(name, 'head_claim_')
