-- name:    closed_totals
-- serves:  getStats, listCounters, getRegistryStats, getSupplyReconciliation
-- returns: one row: totals of the stored days and of the stored hours after them, number of distinct addresses, first block
--          after these hours
-- reads:   chart_buckets and actor_buckets by primary key
-- budget:  20 s, 1024 MiB, 1 row
WITH buckets AS
(
    SELECT * FROM chart_buckets
    WHERE resolution = 'day' AND bucket < toDateTime({day_through:UInt32}, 'UTC') LIMIT 1 BY resolution, bucket
    UNION ALL
    SELECT * FROM chart_buckets
    WHERE resolution = 'hour' AND bucket >= toDateTime({day_through:UInt32}, 'UTC') AND bucket < toDateTime({hour_through:UInt32}, 'UTC')
    LIMIT 1 BY resolution, bucket
)
SELECT
    sum(block_count) AS blocks, sum(transaction_count) AS transactions, sum(failed_count) AS failed, sum(creation_count) AS contracts,
    sum(log_count) AS logs, sum(native_transfer_count) AS native_transfers, sum(token_transfer_count) AS token_transfers,
    sum(buckets.gas_used) AS gas_used, toString(sum(buckets.fees)) AS fees, toString(sum(buckets.burned)) AS burned,
    toUInt64(if(count() = 0, 0, max(last_block) + 1)) AS live_from,
    (
        SELECT sum(new_count)
        FROM
        (
            SELECT new_count FROM actor_buckets
            WHERE resolution = 'hour' AND kind = 'address' AND bucket < toDateTime({hour_through:UInt32}, 'UTC')
            LIMIT 1 BY bucket
        )
    ) AS addresses
FROM buckets
