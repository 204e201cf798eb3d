-- name:    rollup_chart_day
-- serves:  verify
-- returns: one row if chart_buckets (statistics of blocks per time bucket) differs from a recount
-- reads:   block_figures, chart_buckets
-- budget:  300 s, 4096 MiB, 10 rows
{{check_chart_buckets}}
