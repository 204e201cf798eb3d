-- name:    count_shape_vectors
-- serves:  searchKnots
-- returns: how many of the given kinds of events (shapes) have a vector of an embedding model
-- reads:   shape_vectors by primary key
-- budget:  10 s, 256 MiB, 1 row
SELECT uniqExact(shape_id) AS vectors
FROM shape_vectors
WHERE embedder = {embedder:String} AND shape_id IN {ids:Array(UInt64)}
