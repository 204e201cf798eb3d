-- name:    all_shapes
-- serves:  searchKnots
-- params:  limit UInt32
-- returns: shapes, to fill the memory at the start
-- reads:   shapes
-- budget:  60 s, 2048 MiB, 200_001 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
LIMIT {limit:UInt32}
