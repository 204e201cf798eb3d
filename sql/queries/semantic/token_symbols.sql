-- name:    token_symbols
-- serves:  searchKnots
-- returns: token symbols of all shapes (kinds of events), upper case, most frequent first; is_verified: 1 if a verified token has the symbol
-- reads:   shapes
-- budget:  10 s, 512 MiB, 100_000 rows
SELECT symbol, max(is_verified) AS is_verified
FROM
(
    SELECT upper(token.1) AS symbol, token.2 != 'unverified token' AS is_verified
    FROM shapes ARRAY JOIN [(token_symbol, token_class), (second_token_symbol, second_token_class)] AS token
)
WHERE symbol != ''
GROUP BY symbol
ORDER BY count() DESC, symbol
LIMIT {limit:UInt32}
