-- name:    list_tokens
-- serves:  listTokens
-- params:  text: part of name or symbol, or empty | sort: holders, transfers or age: what to sort by
--          | at_value: sort value of the last row of the previous page
-- returns: tokens, highest value of `sort` first (age: newest first), then by address
-- reads:   token_counter_eras, token_holder_count_eras, tokens; token_transfers after the rollup windows
-- budget:  10 s, 2048 MiB, 201 rows
SELECT
{{token_columns}}, sort_value
FROM
(
    SELECT *, multiIf({sort:String} = 'transfers', transfer_count, {sort:String} = 'age', first_block, toUInt64(holder_count)) AS sort_value
    FROM ({{token_figures(1)}})
)
WHERE ({text:String} = '' OR positionCaseInsensitiveUTF8(ifNull(name, ''), {text:String}) > 0
    OR positionCaseInsensitiveUTF8(ifNull(symbol, ''), {text:String}) > 0)
  AND ({standard:String} = '' OR toString(standard) = {standard:String})
  AND (sort_value < {at_value:UInt64} OR (sort_value = {at_value:UInt64} AND token > unhex({at_token:String})))
ORDER BY sort_value DESC, token
LIMIT {limit:UInt32}
