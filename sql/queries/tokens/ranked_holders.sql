-- name:    ranked_holders
-- serves:  listTokenHolders
-- params:  at_inverse: balance with all bits inverted, of the last row of the previous page
--          | at_holder: holder of the last row of the previous page
-- returns: holders by balance at the end of the rollup windows, richest first, columns as stored. If a holder has several rows
--          with one balance, the newest window is valid; is_held = 0: the holder no longer has this balance
-- reads:   token_holder_ranks in the order of its primary key. Selecting the newest window in SQL would read far beyond the
--          limit
-- budget:  10 s, 512 MiB, 2_000 rows
SELECT holder, inverse_balance, is_held, era
FROM token_holder_ranks
WHERE token = unhex({token:String}) AND standard = {standard:String} AND inverse_balance >= {at_inverse:UInt256}
  AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
ORDER BY token, standard, inverse_balance, holder
LIMIT {limit:UInt32}
