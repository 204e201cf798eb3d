-- name:    search_names
-- serves:  search
-- returns: tokens whose name or symbol contains the text: exact matches first, then by number of holders
-- reads:   tokens, token_counter_eras, token_holder_count_eras; token_transfers after the rollup windows
-- budget:  10 s, 2048 MiB, 201 rows
SELECT
{{token_columns}}
FROM ({{token_figures(token IN (SELECT address FROM tokens FINAL
    WHERE positionCaseInsensitiveUTF8(ifNull(name, ''), {text:String}) > 0 OR positionCaseInsensitiveUTF8(ifNull(symbol, ''), {text:String}) > 0))}})
ORDER BY lowerUTF8(ifNull(symbol, '')) = lowerUTF8({text:String}) DESC, lowerUTF8(ifNull(name, '')) = lowerUTF8({text:String}) DESC, holder_count DESC, token
LIMIT {limit:UInt32}
