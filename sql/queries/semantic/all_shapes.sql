-- name:    all_shapes
-- serves:  searchKnots
-- returns: all shapes (kinds of events) with texts. The search loads them into memory at its start
-- reads:   shapes
-- budget:  60 s, 2048 MiB, 200_001 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
LIMIT {limit:UInt32}
