-- name:    shape_vectors_by_id
-- serves:  searchKnots
-- returns: embedding vectors of these shapes (kinds of events), as stored; no row if not computed yet
-- reads:   shape_vectors by primary key
-- budget:  10 s, 512 MiB, 10_001 rows
SELECT shape_id, vector
FROM shape_vectors
WHERE embedder = {embedder:String} AND shape_id IN {ids:Array(UInt64)}
ORDER BY shape_id, text_version DESC
LIMIT 1 BY shape_id
