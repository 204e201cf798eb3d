-- name:    nft_holdings
-- serves:  listAccountNfts, compatible account.addresstokennftinventory
-- params:  snapshot (blocks visible to readers)
--          | era_through UInt64 first block after the rollup windows (block ranges with stored totals)
--          | era_blocks UInt64 blocks per rollup window | address String 40 hex digits | tokens Array(String) 40 hex digits
--          | standard String erc721 or erc1155
--          | at_token String 40 hex digits
--          | at_id UInt256 token and id of the last row of the previous page, at_token empty: first page | limit UInt32
-- returns: one row per token and id that the account owns, by token and id, with the amount
-- reads:   holder_balance_eras by primary key, token_transfers_by_address after the rollup windows
-- budget:  20 s, 2048 MiB, 100_001 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, toString(token_id) AS id, toString({{amount_of_parts((low_sum, high_sum))}}) AS amount
FROM ({{holdings_of_account({{among_tokens}} AND standard = {standard:String})}})
WHERE {{is_held_of_parts((low_sum, high_sum))}}
    AND ({at_token:String} = '' OR (token, token_id) > (toFixedString(unhex({at_token:String}), 20), {at_id:UInt256}))
ORDER BY token, token_id
LIMIT {limit:UInt32}
