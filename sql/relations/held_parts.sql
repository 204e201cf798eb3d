-- Balances of holders as of closed rollup windows, over all ids of a token's standard; the argument is a condition on
-- holder_balance_eras. grain: one row per token, standard and holder, in two parts (see amount_of_parts); unmerged rows count once.
SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts
FROM
(
    SELECT token, standard, token_id, holder, era, delta, delta_high FROM holder_balance_eras
    WHERE @source
    LIMIT 1 BY token, standard, token_id, holder, era
)
GROUP BY token, standard, holder
