-- name:    nft_holdings
-- serves:  listAccountNfts, compatible account.addresstokennftinventory
-- params:  standard: erc721 or erc1155 
--          | at_token: token of the last row of the previous page; empty: first page | at_id: its token id
-- returns: NFTs (token contract and id) that the account owns, with the amount, by contract and id
-- reads:   token_balance_eras_by_holder by primary key, token_transfers_by_address after the rollup windows
-- budget:  20 s, 2048 MiB, 100_001 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, toString(token_id) AS id, toString({{amount_of_parts((low_sum, high_sum))}}) AS amount
FROM ({{holdings_of_account({{among_tokens}} AND standard = {standard:String})}})
WHERE {{is_held_of_parts((low_sum, high_sum))}}
    AND ({at_token:String} = '' OR (token, token_id) > (toFixedString(unhex({at_token:String}), 20), {at_id:UInt256}))
ORDER BY token, token_id
LIMIT {limit:UInt32}
