-- name:    shapes_with_terms
-- serves:  searchKnots
-- params:  wallet String 40 hex digits or empty: all | from_time UInt32 | to_time UInt32 | through_block UInt64 0: any
--          | block Int64 -1: any | tx_hash String 64 hex digits or empty | address String 40 hex digits or empty | token_id String
--          | direction String | status String | token_class String | symbols Array(String) upper case
--          | amount_unit String token, usd or empty | min_amount Float64 | max_amount Float64
--          | terms Array(String) stems of the words in the query | limit UInt32
-- returns: shapes (kinds of events) that match the conditions and whose text contains a term, most terms first
-- reads:   shapes by the index of terms; rows of the wallet in knots by primary key
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id
FROM shapes
WHERE hasAnyTokens(terms, {terms:Array(String)}) AND {{shape_in_scope}}
ORDER BY arrayCount(position -> position > 0,
    multiSearchAllPositions(concat(' ', terms, ' '), arrayMap(term -> concat(' ', term, ' '), {terms:Array(String)}))) DESC, shape_id
LIMIT {limit:UInt32}
