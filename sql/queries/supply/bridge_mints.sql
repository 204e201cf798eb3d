-- name:    bridge_mints
-- serves:  getSupplyReconciliation
-- returns: mints by the bridge per origin chain: number, amount in wei, number of distinct nullifiers (each permits one mint),
--          block time of the newest
-- reads:   logs_by_address by primary key, logs at the positions found
-- budget:  20 s, 1024 MiB, 1_000 rows
SELECT toString(origin) AS origin_chain, count() AS mint_count, toString(sum(amount)) AS amount_sum, uniqExact(nullifier) AS nullifier_count,
    toUnixTimestamp(max(timestamp)) AS last_time
FROM ({{mints_of_bridge}})
GROUP BY origin
ORDER BY origin
LIMIT 1000
