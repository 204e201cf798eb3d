-- name:    touched_tokens
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance
-- returns: distinct tokens of the standard that the account ever sent or received
-- reads:   token_balance_eras_by_holder by primary key, token_transfers_by_address after the rollup windows
-- budget:  10 s, 1024 MiB, 1_000_000 rows
SELECT DISTINCT token
FROM
(
    SELECT token FROM token_balance_eras_by_holder
        WHERE holder = unhex({address:String}) AND standard = {standard:String} AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    UNION ALL
    SELECT token FROM token_transfers_by_address
        WHERE address = unhex({address:String}) AND standard = {standard:String} AND block_number >= {era_through:UInt64} AND {{visible}}
)
