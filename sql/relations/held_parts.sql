-- Token balances of holders at the end of rollup windows: one row per token, standard and holder, over all token ids. @source
-- stands for a condition on token_balance_eras_by_holder. Fragment amount_of_parts converts `parts` to the balance.
-- A stored row counts once, even if ClickHouse has not merged its duplicates.
SELECT token, standard, holder, (sum(delta), sum(delta_high)) AS parts
FROM
(
    SELECT token, standard, token_id, holder, era, delta, delta_high FROM token_balance_eras_by_holder
    WHERE @source
    LIMIT 1 BY token, standard, token_id, holder, era
)
GROUP BY token, standard, holder
