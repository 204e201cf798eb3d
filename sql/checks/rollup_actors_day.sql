-- name:    rollup_actors_day
-- serves:  verify
-- returns: one row if actor_buckets (active addresses per time bucket) differs from a recount
-- reads:   block_figures, actor_buckets
-- budget:  300 s, 4096 MiB, 10 rows
{{check_actor_buckets}}
