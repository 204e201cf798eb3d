-- name:    close_actors
-- serves:  rollups
-- params:  to_block: last block of the complete buckets that start at from_block
-- returns: nothing; writes actor_buckets: number of active and new addresses by role and bucket
-- reads:   block_figures by primary key, actor_firsts of the same blocks
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO actor_buckets (resolution, bucket, kind, active_count, new_count)
SELECT {resolution:String} AS resolution, bucket, kind, active_count, new_count
FROM
(
    SELECT {{bucket_start}} AS bucket, kind, uniqExact(address) AS active_count
    FROM ({{actor_rows(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
    GROUP BY bucket, kind
) AS active
LEFT JOIN
(
    SELECT {{bucket_start}} AS bucket, kind, count() AS new_count
    FROM
    (
        SELECT kind, address, first_time AS timestamp FROM actor_firsts
        WHERE first_block BETWEEN {from_block:UInt64} AND {to_block:UInt64} LIMIT 1 BY kind, address
    )
    GROUP BY bucket, kind
) AS fresh USING (bucket, kind)
