-- name:    shapes_of_first_knots
-- serves:  searchKnots
-- params:  order: largest, smallest, latest, earliest or empty | ids: [0], because no shape is preferred | scores: [0]
-- returns: ids of the shapes (kinds of events) of the first `limit` matching events, by `order`
-- reads:   rows of the wallet in knots by primary key
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id
FROM (SELECT shape_id FROM knots WHERE {{knot_matches}} ORDER BY {{knot_order}} LIMIT {limit:UInt32})
