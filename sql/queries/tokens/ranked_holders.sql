-- name:    ranked_holders
-- serves:  listTokenHolders
-- params:  token String 40 hex digits | standard String | at_inverse UInt256 | at_holder String 40 hex digits: last place read, exclusive | limit UInt32
-- returns: places of the ranking as of the last closed era, richest first, bare columns; a place that changed hands has a row an era:
--          the highest counts, and one with is_held = 0 is given up
-- reads:   token_holder_ranks by key, in its order; telling eras apart here would read far beyond the limit
-- budget:  10 s, 512 MiB, 2_000 rows
SELECT holder, inverse_balance, is_held, era
FROM token_holder_ranks
WHERE token = unhex({token:String}) AND standard = {standard:String} AND inverse_balance >= {at_inverse:UInt256}
  AND (inverse_balance, holder) > ({at_inverse:UInt256}, toFixedString(unhex({at_holder:String}), 20))
ORDER BY token, standard, inverse_balance, holder
LIMIT {limit:UInt32}
