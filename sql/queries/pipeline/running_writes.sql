-- name:    running_writes
-- serves:  pipeline
-- returns: ids of running writes to this database, also of ended pipeline processes, and of unfinished mutations
-- reads:   system.processes, system.mutations
-- budget:  5 s, 64 MiB, 100_000 rows
SELECT query_id AS id
FROM system.processes
WHERE upper(substring(trimLeft(query), 1, 6)) IN ('INSERT', 'ALTER ', 'TRUNCA', 'DELETE')
    -- servers of a cluster forward inserts to each other, perhaps with another current database
    AND (current_database = currentDatabase() OR is_initial_query = 0)
UNION ALL
SELECT concat(`table`, ' ', mutation_id) AS id
FROM system.mutations
WHERE `database` = currentDatabase() AND is_done = 0
