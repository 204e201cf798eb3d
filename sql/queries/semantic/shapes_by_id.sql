-- name:    shapes_by_id
-- serves:  searchKnots, getKnot
-- returns: shapes (kinds of events) with these ids, and their texts
-- reads:   shapes by primary key
-- budget:  10 s, 512 MiB, 10_001 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
WHERE shape_id IN {ids:Array(UInt64)}
