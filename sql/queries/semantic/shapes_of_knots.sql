-- name:    shapes_of_knots
-- serves:  searchKnots
-- returns: ids of the shapes (kinds of events) of matching events, at most `limit`
-- reads:   rows of the wallet in knots by primary key
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id FROM knots WHERE {{knot_matches}} LIMIT {limit:UInt32}
