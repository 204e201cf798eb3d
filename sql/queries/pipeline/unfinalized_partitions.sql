-- name:    unfinalized_partitions
-- serves:  pipeline
-- returns: table and block number of each partition of an unfinalized block; not the copies that `cordscan rederive` makes
-- reads:   system.parts
-- budget:  10 s, 256 MiB, 1_000_000 rows
SELECT DISTINCT replaceRegexpOne(table, '_local$', '') AS table, toUInt64(splitByChar('-', partition_id)[2]) AS block_number
FROM system.parts
WHERE database = currentDatabase() AND active AND match(partition_id, '^0-[0-9]+$') AND position(table, '__rederived_') = 0
ORDER BY block_number, table
