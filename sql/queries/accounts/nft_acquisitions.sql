-- name:    nft_acquisitions
-- serves:  listAccountNfts, compatible account.addresstokennftinventory
-- params:  ids: one token id of each of these contracts
-- returns: last block in which the account received each NFT (token contract and id)
-- reads:   token_transfers_by_address by primary key
-- budget:  10 s, 1024 MiB, 10_001 rows
SELECT concat('0x', lower(hex(token))) AS token_hex, toString(token_id) AS id, max(block_number) AS acquired_block
FROM token_transfers_by_address
WHERE address = unhex({address:String}) AND {{visible}} AND standard = {standard:String} AND direction = 'in' AND (token, token_id) IN
    (SELECT toFixedString(unhex(place.1), 20), place.2 FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {ids:Array(UInt256)})) AS place))
GROUP BY token, token_id
