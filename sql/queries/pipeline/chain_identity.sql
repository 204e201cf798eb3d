-- name:    chain_identity
-- serves:  pipeline, api
-- returns: chain id and genesis hash of the stored chain, or no row
-- reads:   chain_identity, full scan
-- budget:  5 s, 64 MiB, 1 row
SELECT toString(chain_id) AS chain_id, concat('0x', lower(hex(genesis_hash))) AS genesis_hash
FROM chain_identity FINAL
LIMIT 1
