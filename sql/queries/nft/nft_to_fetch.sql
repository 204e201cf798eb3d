-- name:    nft_to_fetch
-- serves:  pipeline
-- params:  max_bytes: maximum size of all metadata on the disk of this server
-- returns: requested tokens whose metadata was never fetched, is older than a week, or failed less than five times. After the
--          first failure, the next attempt waits a minute, and each later one four times as long. If the disk limit is reached
--          (is_full = 1): only tokens without metadata. Contracts take turns, because the host of one may be slow on purpose
-- reads:   nft_requests (full scan: requests of one day), nft_metadata by primary key, system.parts
-- budget:  10 s, 512 MiB, 1_000 rows
WITH
    (SELECT sum(bytes_on_disk) FROM system.parts WHERE database = currentDatabase() AND table = 'nft_metadata') >= {max_bytes:UInt64} AS is_full,
    wanted AS (SELECT contract, token_id, standard, requested_at FROM nft_requests FINAL)
SELECT concat('0x', lower(hex(contract))) AS contract_hex, toString(token_id) AS id, standard, attempts, state, picture_uri, has_picture, is_full
FROM wanted
LEFT JOIN
(
    SELECT contract, token_id, state, attempts, fetched_at, picture_uri, picture != '' AS has_picture FROM nft_metadata FINAL
    WHERE (contract, token_id) IN (SELECT contract, token_id FROM wanted)
) AS known USING (contract, token_id)
WHERE state = '' OR is_full = 0 AND (fetched_at < now('UTC') - INTERVAL 7 DAY
  OR (attempts BETWEEN 1 AND 4 AND fetched_at < now('UTC') - toIntervalSecond(60 * pow(4, attempts - 1))))
ORDER BY attempts, row_number() OVER (PARTITION BY contract ORDER BY attempts, requested_at DESC), requested_at DESC
LIMIT {limit:UInt32}
