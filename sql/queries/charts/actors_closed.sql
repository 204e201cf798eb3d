-- name:    actors_closed
-- serves:  getChart, getLine, listCounters
-- returns: number of active and new addresses per role (such as sender) and stored time bucket, oldest first
-- reads:   actor_buckets by primary key
-- budget:  10 s, 1024 MiB, 1_400_000 rows
SELECT toUInt32(bucket) AS time, kind AS kind_name, active_count, new_count
FROM actor_buckets
WHERE resolution = {resolution:String} AND bucket >= toDateTime({from_time:UInt32}, 'UTC') AND bucket <= toDateTime({to_time:UInt32}, 'UTC')
ORDER BY kind, bucket
LIMIT 1 BY kind, bucket
