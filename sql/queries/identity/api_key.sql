-- name:    api_key
-- serves:  every route
-- params:  secret_hash: 64 hex digits
-- returns: the API key whose secret has this hash, or no row
-- reads:   api_keys by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT id, owner, name, prefix, last4, toUnixTimestamp64Milli(created_at) AS created_ms,
    toUnixTimestamp64Milli(revoked_at) AS revoked_ms, concat('0x', lower(hex(api_keys.secret_hash))) AS hash
FROM api_keys FINAL
WHERE secret_hash = toFixedString(unhex({secret_hash:String}), 32)
LIMIT 1
