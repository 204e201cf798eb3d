-- name:    all_shapes
-- serves:  searchKnots
-- returns: all shapes (kinds of events) with texts, for the memory of the search
-- reads:   shapes
-- budget:  60 s, 2048 MiB, 200_001 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
LIMIT {limit:UInt32}
