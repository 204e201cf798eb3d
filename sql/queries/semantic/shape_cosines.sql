-- name:    shape_cosines
-- serves:  searchKnots
-- params:  wallet String 40 hex digits or empty: all | from_time UInt32 | to_time UInt32 | through_block UInt64 0: any
--          | block Int64 -1: any | tx_hash String 64 hex digits or empty | address String 40 hex digits or empty | token_id String
--          | direction String | status String | token_class String | symbols Array(String) upper case
--          | amount_unit String token, usd or empty | min_amount Float64 | max_amount Float64 | embedder String embedding model
--          | vector Array(BFloat16) of length 1: embedding of the query | limit UInt32
-- returns: shapes (kinds of events) that match the conditions, nearest to the vector first, with cosines; may repeat a shape
-- reads:   vectors of one embedding model; rows of the wallet in knots by primary key, or all shapes
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT shape_id, dotProduct(vector, {vector:Array(BFloat16)}) AS cosine
FROM shape_vectors
WHERE embedder = {embedder:String} AND {{shape_in_scope}}
ORDER BY cosine DESC, shape_id
LIMIT {limit:UInt32}
