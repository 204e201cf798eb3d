-- name:    open_holdings
-- serves:  listAccountTokens, listAccountNfts, compatible account.addresstokenbalance, compatible account.addresstokennftinventory
-- returns: balance change of the account by each token transfer after the rollup windows; may repeat rows
-- reads:   token_transfers_by_address by primary key
-- budget:  10 s, 256 MiB, 100_001 rows
SELECT block_number, log_index, batch_index, direction, token, standard, token_id, {{signed_parts}}
FROM token_transfers_by_address
WHERE address = unhex({address:String}) AND block_number >= {era_through:UInt64} AND {{visible}}
LIMIT {limit:UInt32}
