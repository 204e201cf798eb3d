-- name:    actors_closed
-- serves:  getChart, getLine, listCounters
-- params:  resolution String bucket length, such as hour | from_time UInt32 | to_time UInt32 starts of buckets, both inclusive
-- returns: one row per time bucket with stored figures and kind of role: number of active and new addresses, oldest first
-- reads:   actor_buckets by primary key
-- budget:  10 s, 1024 MiB, 1_400_000 rows
SELECT toUInt32(bucket) AS time, kind AS kind_name, active_count, new_count
FROM actor_buckets
WHERE resolution = {resolution:String} AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket <= toDateTime({to_time:UInt32}, 'UTC')
ORDER BY kind, bucket
LIMIT 1 BY kind, bucket
