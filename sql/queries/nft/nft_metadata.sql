-- name:    nft_metadata
-- serves:  getNftToken, listNftTokens, listAccountNfts
-- params:  ids: token id of each
-- returns: given tokens whose metadata was fetched, without pictures
-- reads:   nft_metadata by primary key
-- budget:  5 s, 256 MiB, 1_000 rows
WITH asked AS
(
    SELECT toFixedString(unhex(pair.1), 20) AS contract, toUInt256(pair.2) AS token_id
    FROM (SELECT arrayJoin(arrayZip({contracts:Array(String)}, {ids:Array(String)})) AS pair)
)
SELECT concat('0x', lower(hex(contract))) AS contract_hex, toString(token_id) AS id, state, uri, name, description, traits, picture_uri,
    picture_type, error, toUnixTimestamp64Milli(fetched_at) AS fetched_ms
FROM nft_metadata
WHERE (contract, token_id) IN asked
ORDER BY contract, token_id, version DESC
LIMIT 1 BY contract, token_id
