-- name:    ranked_holders
-- serves:  listTokenHolders
-- params:  token String 40 hex digits | standard String | at_inverse UInt256
--          | at_holder String 40 hex digits: bitwise complement of the balance, and holder, of the last row of the previous page
--          | limit UInt32
-- returns: holders by their balance at the end of the rollup windows (block ranges with stored totals), richest first, columns as
--          stored; a holder can have several rows for one balance: the newest window is valid, is_held = 0 means the holder no
--          longer has it
-- reads:   token_holder_ranks by primary key, in its order; selecting the newest window in SQL would read far beyond the limit
-- budget:  10 s, 512 MiB, 2_000 rows
SELECT holder, inverse_balance, is_held, era
FROM token_holder_ranks
WHERE token = unhex({token:String}) AND standard = {standard:String} AND inverse_balance >= {at_inverse:UInt256}
  AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
ORDER BY token, standard, inverse_balance, holder
LIMIT {limit:UInt32}
