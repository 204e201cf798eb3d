-- name:    nft_picture
-- serves:  getNftPicture, pipeline
-- returns: picture of the token, base64, with its media type; no row if the metadata was not fetched
-- reads:   nft_metadata by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT picture_type, picture
FROM nft_metadata
WHERE contract = toFixedString(unhex({contract:String}), 20) AND token_id = {id:UInt256}
ORDER BY version DESC
LIMIT 1
