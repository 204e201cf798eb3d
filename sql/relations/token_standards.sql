-- Standard and metadata of tokens: the standard that the contract reports, else that of its events; also all standards of its events.
-- The argument is a condition on column token. grain: one row per token; used by account routes.
SELECT token, if(max(told) != 0, max(told), max(seen)) AS standard_code, groupUniqArrayIf(seen, seen != 0) AS seen_codes, anyLast(name) AS name,
    anyLast(symbol) AS symbol, anyLast(decimals) AS decimals
FROM
(
    SELECT address AS token, toInt8(standard) AS told, toInt8(0) AS seen, name, symbol, decimals FROM tokens FINAL WHERE @source
    UNION ALL
    SELECT token, toInt8(0), toInt8(standard), NULL, NULL, NULL FROM token_counter_eras WHERE @source GROUP BY token, standard
    UNION ALL
    SELECT token, toInt8(0), toInt8(standard), NULL, NULL, NULL FROM token_transfers
    WHERE block_number >= {era_through:UInt64} AND {{visible}} AND @source GROUP BY token, standard
)
GROUP BY token
