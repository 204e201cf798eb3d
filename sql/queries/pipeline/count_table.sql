-- name:    count_table
-- serves:  repair
-- returns: one row: number of distinct rows
-- reads:   the table, full scan
-- budget:  900 s, 4096 MiB, 1 row
SELECT count() AS rows FROM {table:Identifier} FINAL
