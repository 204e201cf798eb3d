-- name:    traced_ranges
-- serves:  pipeline, rewind, repair, verify
-- returns: ranges of finalized blocks with stored internal calls, lowest first; may overlap
-- reads:   traced_ranges, full scan
-- budget:  20 s, 512 MiB, 1_000_000 rows
SELECT from_block, to_block
FROM traced_ranges FINAL
WHERE state = 'done'
ORDER BY from_block, to_block
