-- name:    shapes_to_render
-- serves:  pipeline
-- returns: shapes (kinds of events) without text, or with an older text version
-- reads:   shapes, full scan
-- budget:  30 s, 1024 MiB, 10_000 rows
SELECT
{{shape_columns}}
FROM shapes FINAL
WHERE text_version < {text_version:UInt32}
ORDER BY shape_id
LIMIT {limit:UInt32}
