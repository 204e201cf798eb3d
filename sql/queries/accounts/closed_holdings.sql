-- name:    closed_holdings
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance, compatible account.addresstokennftinventory
-- params:  address String 40 hex digits | era_through UInt64 first block after the rollup windows (block ranges with stored totals)
--          | era_blocks UInt64 blocks per rollup window | limit UInt32
-- returns: token amounts that the account received minus those it sent, by token, standard, token id and rollup window, columns as
--          stored; may contain duplicate rows
-- reads:   holder_balance_eras by primary key
-- budget:  10 s, 256 MiB, 100_001 rows
SELECT token, standard, token_id, era, delta, delta_high
FROM holder_balance_eras
WHERE holder = unhex({address:String}) AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
LIMIT {limit:UInt32}
