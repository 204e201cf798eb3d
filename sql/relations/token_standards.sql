-- Standards and metadata of tokens, one row each. standard_code is the standard in the table tokens, else the highest of the
-- token's events (ERC-20, ERC-721, ERC-1155). seen_codes has all standards of these events. @source stands for a condition on
-- column token.
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
