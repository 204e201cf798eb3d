-- name:    rollup_chart_5min
-- serves:  verify
-- params:  snapshot | resolution String | through UInt32 Unix seconds | bucket_seconds UInt32
-- returns: one row if closed buckets differ from a recount of rows; no rows if consistent
-- reads:   blocks, transactions, logs, chart_buckets
-- budget:  300 s, 4096 MiB, 10 rows
{{check_chart_buckets}}
