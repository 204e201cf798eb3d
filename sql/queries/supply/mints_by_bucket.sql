-- name:    mints_by_bucket
-- serves:  getChart, getLine
-- returns: amount of mints by the bridge in wei, per time bucket with mints
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 1_000_000 rows
SELECT toUInt32({{bucket_start}}) AS time, toString(sum(amount)) AS wei
FROM ({{mints_of_bridge}})
GROUP BY time
ORDER BY time
