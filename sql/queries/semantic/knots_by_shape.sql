-- name:    knots_by_shape
-- serves:  searchKnots
-- returns: wallet events (knots) of these shapes (kinds of events), of all wallets; highest score of the shape first, then
--          newest first
-- reads:   shape_knots by primary key for the events with the highest scores, then knots by primary key. FINAL skips replaced
--          rows
-- budget:  10 s, 1024 MiB, 1_001 rows
SELECT
{{knot_columns}}
FROM knots FINAL
WHERE shape_id IN {ids:Array(UInt64)}
    AND (wallet, timestamp, block_number, tx_index, log_index, part) IN (
        SELECT wallet, timestamp, block_number, tx_index, log_index, part
        FROM shape_knots
        WHERE shape_id IN {ids:Array(UInt64)} /*?through_block:*/ AND block_number <= {through_block:UInt64} /*?;*/
        ORDER BY transform(shape_id, {ids:Array(UInt64)}, {scores:Array(Float64)}, -1000.) DESC, timestamp DESC
        LIMIT 1 BY wallet, timestamp, block_number, tx_index, log_index, part LIMIT {picked:UInt32})
ORDER BY transform(shape_id, {ids:Array(UInt64)}, {scores:Array(Float64)}, -1000.) DESC,
    timestamp DESC, block_number DESC, tx_index DESC, log_index DESC, part, wallet
LIMIT {limit:UInt32}
