-- Rows of block_figures with the seconds since the previous block, null if unknown. The argument is a subquery of block_figures with
-- the column is_own; it is false for the block before the first selected one, which only provides a timestamp. grain: one row per block with is_own.
SELECT *, intDiv(transaction_count * 1000, greatest(ifNull(interval, 1), 1)) AS peak_tps_milli -- an interval of 0 s counts as 1 s
FROM
(
    SELECT *, if(lagInFrame(toNullable(block_number)) OVER before = block_number - 1,
        toUInt64(toUInt32(timestamp) - toUInt32(lagInFrame(timestamp) OVER before)), NULL) AS interval
    FROM @source
    WINDOW before AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_own
