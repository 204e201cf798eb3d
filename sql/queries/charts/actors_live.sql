-- name:    actors_live
-- serves:  getChart, getLine, listCounters
-- params:  from_block: first block after the buckets with stored figures
-- returns: number of active and new addresses per role (such as sender) and time bucket that is not stored yet
-- reads:   block_figures by primary key, actor_firsts for the addresses found
-- budget:  20 s, 2048 MiB, 1_400_000 rows
SELECT toUInt32(bucket) AS time, kind AS kind_name, active_count, new_count
FROM
(
    SELECT {{bucket_start}} AS bucket, kind, uniqExact(address) AS active_count
    FROM ({{actor_rows(block_number >= {from_block:UInt64} AND {{visible}})}})
    GROUP BY bucket, kind
) AS active
LEFT JOIN
(
    SELECT {{bucket_start}} AS bucket, kind, count() AS new_count
    FROM (SELECT kind, first_time AS timestamp FROM ({{new_actors(block_number >= {from_block:UInt64} AND {{visible}})}}))
    GROUP BY bucket, kind
) AS fresh USING (bucket, kind)
ORDER BY kind, bucket
