-- name:    api_keys_of_owner
-- serves:  createKey, listKeys, revokeKey
-- returns: API keys of one owner (account of a client), oldest first, with calls (today and in total) and last use
-- reads:   api_keys (full scan), api_key_usage by primary key
-- budget:  5 s, 256 MiB, 10_000 rows
SELECT k.id AS id, k.owner AS owner, k.name AS name, k.prefix AS prefix, k.last4 AS last4,
    toUnixTimestamp64Milli(k.created_at) AS created_ms, toUnixTimestamp64Milli(k.revoked_at) AS revoked_ms,
    concat('0x', lower(hex(k.secret_hash))) AS hash, toUnixTimestamp64Milli(u.used_at) AS used_ms,
    u.calls_today AS calls_today, u.calls_in_all AS calls_in_all
FROM (SELECT * FROM api_keys FINAL WHERE owner = {owner:String}) AS k
LEFT JOIN (
    SELECT key_id, max(api_key_usage.used_at) AS used_at, sumIf(calls, day = toDate(now('UTC'))) AS calls_today, sum(calls) AS calls_in_all
    FROM api_key_usage FINAL
    WHERE key_id IN (SELECT api_keys.id FROM api_keys FINAL WHERE owner = {owner:String})
    GROUP BY key_id
) AS u ON u.key_id = k.id
ORDER BY k.created_at, k.id
