-- name:    shapes_in_scope
-- serves:  searchKnots
-- params:  wallet String 40 hex digits or empty: all | from_time UInt32 | to_time UInt32 | through_block UInt64 0: any
--          | block Int64 -1: any | tx_hash String 64 hex digits or empty | address String 40 hex digits or empty | token_id String
--          | direction String | status String | token_class String | symbols Array(String) upper case
--          | amount_unit String token, usd or empty | min_amount Float64 | max_amount Float64 | limit UInt32
-- returns: ids of the shapes (kinds of events) that match the conditions
-- reads:   rows of the wallet in knots by primary key, or all shapes
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id FROM shapes WHERE {{shape_in_scope}} LIMIT {limit:UInt32}
