-- name:    shapes_to_embed
-- serves:  pipeline
-- params:  refused: shapes that the embedding model rejects
-- returns: shapes (kinds of events) with texts, without a vector of this embedding model and text version
-- reads:   shapes (full scan), keys of shape_vectors
-- budget:  30 s, 1024 MiB, 10_000 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
WHERE shape_id NOT IN (SELECT shape_id FROM shape_vectors WHERE embedder = {embedder:String} AND text_version >= {text_version:UInt32})
    AND shape_id NOT IN {refused:Array(UInt64)}
ORDER BY shape_id
LIMIT {limit:UInt32}
