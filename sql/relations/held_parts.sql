-- Token balances of holders at the end of rollup windows (block ranges with stored totals). @source, the argument of this fragment,
-- is a condition on holder_balance_eras.
-- Returns one row per token, standard and holder, over all token ids. The balance is a pair of numbers, from which fragment
-- amount_of_parts computes the amount. Counts rows once that ClickHouse has not merged yet.
SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts
FROM
(
    SELECT token, standard, token_id, holder, era, delta, delta_high FROM holder_balance_eras
    WHERE @source
    LIMIT 1 BY token, standard, token_id, holder, era
)
GROUP BY token, standard, holder
