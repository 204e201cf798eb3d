-- name:    count_shape_vectors
-- serves:  searchKnots
-- returns: one row: number of given shapes (kinds of events) with a vector of the embedding model
-- reads:   shape_vectors by primary key
-- budget:  10 s, 256 MiB, 1 row
SELECT uniqExact(shape_id) AS vectors
FROM shape_vectors
WHERE embedder = {embedder:String} AND shape_id IN {ids:Array(UInt64)}
