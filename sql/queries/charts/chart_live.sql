-- name:    chart_live
-- serves:  getChart, getLine, listCounters
-- params:  from_block: first block after the buckets with stored figures
-- returns: statistics of blocks per time bucket that is not stored yet, oldest first
-- reads:   block_figures by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time,
{{bucket_columns}}
FROM ({{bucket_stats(block_number >= {from_block:UInt64} AND {{visible}})}})
ORDER BY bucket
