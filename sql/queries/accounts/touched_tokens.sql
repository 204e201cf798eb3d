-- name:    touched_tokens
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance
-- params:  snapshot | era_through UInt64 first block after the closed rollup windows | era_blocks UInt64 blocks per rollup window
--          | address String 40 hex digits | standard String
-- returns: tokens of the standard with any transfer from or to the account, distinct
-- reads:   holder_balance_eras by primary key, token_transfers_by_address since the last closed rollup window
-- budget:  10 s, 1024 MiB, 1_000_000 rows
SELECT DISTINCT token
FROM
(
    SELECT token FROM holder_balance_eras
        WHERE holder = unhex({address:String}) AND standard = {standard:String} AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
    UNION ALL
    SELECT token FROM token_transfers_by_address
        WHERE address = unhex({address:String}) AND standard = {standard:String} AND block_number >= {era_through:UInt64} AND {{visible}}
)
