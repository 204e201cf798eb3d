-- name:    closed_holdings
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance, compatible account.addresstokennftinventory
-- returns: amount received minus amount sent, one row per token, standard, token id and rollup window, columns as stored; may
--          repeat rows
-- reads:   token_balance_eras_by_holder by primary key
-- budget:  10 s, 256 MiB, 100_001 rows
SELECT token, standard, token_id, era, delta, delta_high
FROM token_balance_eras_by_holder
WHERE holder = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
LIMIT {limit:UInt32}
