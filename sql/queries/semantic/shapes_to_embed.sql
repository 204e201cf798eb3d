-- name:    shapes_to_embed
-- serves:  pipeline
-- params:  embedder String | text_version UInt32 | refused Array(UInt64) shapes that the embedder does not take | limit UInt32
-- returns: shapes that have no vector of this embedder and version yet
-- reads:   shapes whole, keys of shape_vectors
-- budget:  30 s, 1024 MiB, 10_000 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
WHERE shape_id NOT IN (SELECT shape_id FROM shape_vectors WHERE embedder = {embedder:String} AND text_version >= {text_version:UInt32})
    AND shape_id NOT IN {refused:Array(UInt64)}
ORDER BY shape_id
LIMIT {limit:UInt32}
