-- name:    knots_of_shapes
-- serves:  searchKnots
-- params:  order: largest, smallest, latest, earliest or empty
-- returns: matching events of these shapes (kinds of events), by score of the shape, then by `order`, then newest first
-- reads:   rows of the wallet in knots, to find the keys of the best events; then the rows with these keys, by primary key.
--          FINAL skips replaced rows
-- budget:  10 s, 1024 MiB, 1_001 rows
SELECT
{{knot_columns}}
FROM knots FINAL
WHERE shape_id IN {ids:Array(UInt64)}
    AND (wallet, timestamp, block_number, tx_index, log_index, part) IN (
        SELECT wallet, timestamp, block_number, tx_index, log_index, part FROM knots WHERE shape_id IN {ids:Array(UInt64)} AND {{knot_matches}}
        ORDER BY {{knot_order}} LIMIT 1 BY wallet, timestamp, block_number, tx_index, log_index, part LIMIT {picked:UInt32})
ORDER BY {{knot_order}}
LIMIT {limit:UInt32}
