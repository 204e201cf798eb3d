-- name:    head_markers
-- serves:  pipeline
-- returns: names of the marker tables. Each allows one pipeline process to write new blocks
-- reads:   system.tables
-- budget:  5 s, 64 MiB, 1_000 rows
SELECT name
FROM system.tables
WHERE `database` = currentDatabase() AND startsWith(name, 'head_claim_')
