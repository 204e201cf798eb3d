-- name:    delete_buckets
-- serves:  rewind
-- params:  table Identifier | from_time UInt32 Unix seconds, inclusive
-- returns: nothing; waits until rows of this bucket and later are gone
-- reads:   the table
-- budget:  900 s, 4096 MiB, 1 row
ALTER TABLE {table:Identifier} DELETE WHERE bucket >= toDateTime({from_time:UInt32}, 'UTC') SETTINGS mutations_sync = 2
