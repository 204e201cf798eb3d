-- name:    traced_version
-- serves:  pipeline, rewind, repair
-- returns: one row: highest version in traced_ranges; 0: none
-- reads:   traced_ranges, full scan
-- budget:  20 s, 256 MiB, 1 row
SELECT max(traced_ranges.version) AS version FROM traced_ranges
