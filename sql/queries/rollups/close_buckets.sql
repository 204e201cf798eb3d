-- name:    close_buckets
-- serves:  rollups
-- params:  to_block: last block of the complete buckets that start at from_block
-- returns: nothing; writes chart_buckets: statistics of blocks by time bucket
-- reads:   block_figures by primary key
-- budget:  900 s, 4096 MiB, 1 row
INSERT INTO chart_buckets (resolution, bucket,
{{bucket_columns}})
SELECT {resolution:String} AS resolution, bucket,
{{bucket_columns}}
FROM ({{bucket_stats(final = 1 AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64})}})
