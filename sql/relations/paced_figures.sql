-- Adds two columns to rows of block_figures: `interval`, seconds since the previous block, and peak_tps_milli. `interval` is
-- null if unknown, or if the previous block is a genesis block of 1970, as on many private chains.
-- @source stands for a subquery of block_figures with a column is_own. The row with is_own = 0 is the block before the first
-- selected one: only its timestamp is used.
SELECT *, intDiv(transaction_count * 1000, greatest(ifNull(interval, 1), 1)) AS peak_tps_milli -- blocks of the same second count as 1 s apart
FROM
(
    SELECT *, if(lagInFrame(toNullable(block_number)) OVER before = block_number - 1 AND toUInt32(lagInFrame(timestamp) OVER before) > 0,
        toUInt64(toUInt32(timestamp) - toUInt32(lagInFrame(timestamp) OVER before)), NULL) AS interval
    FROM @source
    WINDOW before AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_own
