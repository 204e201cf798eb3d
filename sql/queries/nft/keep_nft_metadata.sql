-- name:    keep_nft_metadata
-- serves:  pipeline
-- params:  error: why the metadata could not be read again | attempts: number of failed attempts in a row
-- returns: nothing; stores the newest row of the token again, with the error and the current time
-- reads:   nft_metadata by primary key
-- budget:  10 s, 512 MiB, 1 row
INSERT INTO nft_metadata
SELECT contract, token_id, state, uri, name, description, traits, picture_uri, picture_type, picture, {error:String}, {attempts:UInt8},
    now64(3, 'UTC'), greatest(toUInt64(toUnixTimestamp64Milli(now64(3, 'UTC'))), version + 1)
FROM nft_metadata
WHERE contract = toFixedString(unhex({contract:String}), 20) AND token_id = {id:UInt256}
ORDER BY version DESC
LIMIT 1
