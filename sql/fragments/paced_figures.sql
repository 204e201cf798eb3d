-- Rows of block_figures with the time since the block before, and what follows from samples. The argument is a subquery of them with is_own: false of the block
-- before the first one, which is there for its time. grain: one row a block of its own.
SELECT *, interval IS NOT NULL AS interval_count, ifNull(interval, 0) AS interval_seconds, interval_seconds AS interval_max,
    if(interval IS NULL, [], [assumeNotNull(interval)]) AS interval_samples,
    if(transaction_count = 0, NULL, arrayMin(gas_price_samples)) AS gas_price_min,
    if(transaction_count = 0, NULL, arrayMax(gas_price_samples)) AS gas_price_max,
    intDiv(transaction_count * 1000, greatest(ifNull(interval, 1), 1)) AS peak_tps_milli -- a block lasts at least a second
FROM
(
    SELECT *, if(lagInFrame(toNullable(block_number)) OVER before = block_number - 1,
        toUInt64(toUInt32(timestamp) - toUInt32(lagInFrame(timestamp) OVER before)), NULL) AS interval
    FROM @source
    WINDOW before AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_own
