-- name:    journal_version
-- serves:  pipeline
-- returns: one row: highest version in the journal of stored ranges, also of void ones; 0: no row
-- reads:   range_journal, one column
-- budget:  60 s, 256 MiB, 50_000_000 rows
SELECT max(version) AS version
FROM range_journal
