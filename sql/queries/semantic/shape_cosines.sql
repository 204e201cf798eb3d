-- name:    shape_cosines
-- serves:  searchKnots
-- params:  vector: of length 1: embedding of the query
-- returns: shapes (kinds of events) that match the conditions, by cosine with the vector, highest first; may repeat a shape
-- reads:   vectors of one embedding model; rows of the wallet in knots by primary key, or all shapes
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT shape_id, dotProduct(vector, {vector:Array(BFloat16)}) AS cosine
FROM shape_vectors
WHERE embedder = {embedder:String} AND {{shape_in_scope}}
ORDER BY cosine DESC, shape_id
LIMIT {limit:UInt32}
