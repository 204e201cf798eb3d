-- name:    api_key_usage
-- serves:  verifyKey
-- returns: one row: calls and cost of an API key, today and in total, and its last use, Unix ms
-- reads:   api_key_usage by primary key
-- budget:  5 s, 64 MiB, 1 row
SELECT sumIf(calls, day = toDate(now('UTC'))) AS calls_today, sum(calls) AS calls_in_all,
    sumIf(cost, day = toDate(now('UTC'))) AS cost_today, sum(cost) AS cost_in_all,
    max(toUnixTimestamp64Milli(used_at)) AS used_ms
FROM api_key_usage FINAL
WHERE key_id = {key_id:String}
