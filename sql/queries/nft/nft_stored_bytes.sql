-- name:    nft_stored_bytes
-- serves:  pipeline
-- returns: size of NFT metadata and pictures on the disk of this server
-- reads:   system.parts
-- budget:  5 s, 256 MiB, 1 row
SELECT sum(bytes_on_disk) AS bytes
FROM system.parts
WHERE database = currentDatabase() AND table = 'nft_metadata'
