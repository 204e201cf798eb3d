-- name:    nft_to_fetch
-- serves:  pipeline
-- params:  is_full: 1 if there is no room for metadata: only tokens without a row
-- returns: requested tokens whose metadata was never fetched, is older than a week, or failed less than five times. After the first
--          failure, the next attempt waits a minute, then four times as long after each attempt
-- reads:   nft_requests (full scan: requests of one day), nft_metadata by primary key
-- budget:  10 s, 512 MiB, 1_000 rows
WITH wanted AS (SELECT contract, token_id, standard, requested_at FROM nft_requests FINAL)
SELECT concat('0x', lower(hex(contract))) AS contract_hex, toString(token_id) AS id, standard, attempts, state
FROM wanted
LEFT JOIN
(
    SELECT contract, token_id, state, attempts, fetched_at FROM nft_metadata FINAL
    WHERE (contract, token_id) IN (SELECT contract, token_id FROM wanted)
) AS known USING (contract, token_id)
WHERE state = '' OR {is_full:UInt8} = 0 AND (fetched_at < now('UTC') - INTERVAL 7 DAY
  OR (attempts BETWEEN 1 AND 4 AND fetched_at < now('UTC') - toIntervalSecond(60 * pow(4, attempts - 1))))
ORDER BY attempts, requested_at DESC
LIMIT {limit:UInt32}
