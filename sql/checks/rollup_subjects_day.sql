-- name:    rollup_subjects_day
-- serves:  verify
-- returns: one row if subject_buckets (amounts per address, method or token and time bucket) differs from a recount
-- reads:   blocks, transactions, logs, subject_buckets
-- budget:  300 s, 4096 MiB, 10 rows
{{check_subject_buckets}}
