-- name:    rollup_chart_hour
-- serves:  verify
-- params:  snapshot (blocks visible to readers) | resolution String bucket length, such as hour
--          | through UInt32 end of the buckets to check, Unix seconds | bucket_seconds UInt32 the same length in seconds
-- returns: one row if the stored chart figures per time bucket differ from a recount; no rows if consistent
-- reads:   blocks, transactions, logs, chart_buckets
-- budget:  300 s, 4096 MiB, 10 rows
{{check_chart_buckets}}
