-- name:    burned_fees
-- serves:  getSupplyReconciliation
-- params:  snapshot (blocks visible to readers) | day_through UInt32
--          | hour_through UInt32 Unix seconds: ends of the days and of the hours with stored figures
-- returns: one row: base fees burned in all visible blocks, wei
-- reads:   chart_buckets by primary key, blocks after the hours with stored figures
-- budget:  20 s, 1024 MiB, 1 row
WITH buckets AS
(
    SELECT bucket, last_block, burned FROM chart_buckets
    WHERE resolution = 'day' AND bucket < toDateTime({day_through:UInt32}, 'UTC') LIMIT 1 BY resolution, bucket
    UNION ALL
    SELECT bucket, last_block, burned FROM chart_buckets
    WHERE resolution = 'hour' AND bucket >= toDateTime({day_through:UInt32}, 'UTC') AND bucket < toDateTime({hour_through:UInt32}, 'UTC')
    LIMIT 1 BY resolution, bucket
)
SELECT toString((SELECT sum(burned) FROM buckets) + (
    SELECT sum(burned) FROM
    (
        SELECT blocks.burned AS burned FROM blocks
        WHERE block_number >= (SELECT toUInt64(if(count() = 0, 0, max(last_block) + 1)) FROM buckets) AND {{visible}}
        LIMIT 1 BY block_number
    )
)) AS burned_wei
