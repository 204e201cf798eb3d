-- name:    ranked_holders
-- serves:  listTokenHolders
-- params:  token String 40 hex digits | standard String | at_inverse UInt256 | at_holder String 40 hex digits: last rank read, exclusive
--          | limit UInt32
-- returns: ranks as of the last closed rollup window, richest first, raw columns; a rank that changed has one row per window: the newest is valid,
--          and is_held = 0 marks it as void
-- reads:   token_holder_ranks by primary key, in its order; selecting the newest window in SQL would read far beyond the limit
-- budget:  10 s, 512 MiB, 2_000 rows
SELECT holder, inverse_balance, is_held, era
FROM token_holder_ranks
WHERE token = unhex({token:String}) AND standard = {standard:String} AND inverse_balance >= {at_inverse:UInt256}
  AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
ORDER BY token, standard, inverse_balance, holder
LIMIT {limit:UInt32}
