-- name:    shapes_in_scope
-- serves:  searchKnots
-- returns: ids of the shapes (kinds of events) that match the conditions
-- reads:   rows of the wallet in knots by primary key, or all shapes
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id FROM shapes WHERE {{shape_in_scope}} LIMIT {limit:UInt32}
