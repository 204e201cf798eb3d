-- name:    shapes_with_terms
-- serves:  searchKnots
-- params:  terms: stems of the words in the query
-- returns: shapes (kinds of events) that match the conditions, with a term in their text, most terms first
-- reads:   shapes by the index of terms; rows of the wallet in knots by primary key
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT DISTINCT shape_id
FROM shapes
WHERE hasAnyTokens(terms, {terms:Array(String)}) AND {{shape_in_scope}}
ORDER BY arrayCount(position -> position > 0,
    multiSearchAllPositions(concat(' ', terms, ' '), arrayMap(term -> concat(' ', term, ' '), {terms:Array(String)}))) DESC, shape_id
LIMIT {limit:UInt32}
