-- name:    delete_buckets
-- serves:  rewind
-- params:  table: chart_buckets or actor_buckets
-- returns: nothing; waits until the rows of time buckets that end at or after this time are deleted
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE
    WHERE bucket > toDateTime({from_time:UInt32}, 'UTC') - multiIf(resolution = 'year', 366, resolution = 'month', 31, resolution = 'week', 7,
    1) * 86400 SETTINGS mutations_sync = 2
