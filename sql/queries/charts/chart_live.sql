-- name:    chart_live
-- serves:  getChart, getLine, listCounters
-- params:  snapshot (blocks visible to readers) | from_block UInt64 first block after the buckets with stored figures
--          | bucket_seconds UInt32 bucket length
-- returns: one row per time bucket after those with stored figures, oldest first
-- reads:   blocks, transactions, logs by primary key
-- budget:  20 s, 2048 MiB, 200_000 rows
SELECT toUInt32(bucket) AS time,
{{bucket_columns}}
FROM ({{bucket_stats(block_number >= {from_block:UInt64} AND {{visible}})}})
ORDER BY bucket
