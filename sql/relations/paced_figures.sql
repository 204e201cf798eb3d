-- Adds to rows of block_figures the seconds since the previous block (`interval`, null if unknown, or if the previous block is
-- a genesis block of 1970, as many private chains have) and the resulting peak_tps_milli. Pass a subquery of block_figures with
-- a column is_own as @source. is_own is false for the block before the first selected one, which gives only its timestamp and
-- is not returned.
SELECT *, intDiv(transaction_count * 1000, greatest(ifNull(interval, 1), 1)) AS peak_tps_milli -- two blocks in the same second count as 1 s apart
FROM
(
    SELECT *, if(lagInFrame(toNullable(block_number)) OVER before = block_number - 1 AND toUInt32(lagInFrame(timestamp) OVER before) > 0,
        toUInt64(toUInt32(timestamp) - toUInt32(lagInFrame(timestamp) OVER before)), NULL) AS interval
    FROM @source
    WINDOW before AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_own
