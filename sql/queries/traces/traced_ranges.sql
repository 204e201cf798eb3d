-- name:    traced_ranges
-- serves:  pipeline, rewind, repair, verify
-- params:  none
-- returns: every range of settled blocks whose traces are stored, lowest first; they may overlap
-- reads:   traced_ranges whole
-- budget:  20 s, 512 MiB, 1_000_000 rows
SELECT from_block, to_block
FROM traced_ranges FINAL
WHERE state = 'done'
ORDER BY from_block, to_block
