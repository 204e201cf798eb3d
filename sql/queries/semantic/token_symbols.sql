-- name:    token_symbols
-- serves:  searchKnots
-- returns: token symbols of all shapes (kinds of events), upper case, most frequent first
-- reads:   shapes
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT symbol
FROM (SELECT upper(arrayJoin([token_symbol, second_token_symbol])) AS symbol FROM shapes)
WHERE symbol != ''
GROUP BY symbol
ORDER BY count() DESC, symbol
LIMIT {limit:UInt32}
