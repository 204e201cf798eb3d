-- name:    trade_buckets
-- serves:  getPrice, getChart, getLine, compatible stats.ethdailyprice
-- params:  snapshot | pools Array(String) 40 hex digits each | base_sides Array(UInt8) 0: the coin is token0, 1: token1 | quote_decimals Array(UInt8) 0..18
--          | from_block UInt64 none of the window is below | from_time UInt32 | to_time UInt32 Unix seconds, both inclusive
--          | bucket_seconds UInt32 | judge_seconds UInt32 periods in which prices are compared | min_quote UInt256 dollars with 18 decimals | outlier_percent UInt32
-- returns: one row per bucket and pool: what counts, what was left out; amounts in wei and in dollars with 18 decimals
-- reads:   swaps by key
-- budget:  20 s, 2048 MiB, 1_000_000 rows
WITH
    trades AS ({{trades_of_pools}}),
    -- the price of a block of a pool counts once in the median, however much was traded: a single block can't move it
    medians AS
    (
        SELECT period, arraySort(groupArray(block_price))[intDiv(count() + 1, 2)] AS median
        FROM
        (
            SELECT intDiv(toUInt32(timestamp), {judge_seconds:UInt32}) AS period, intDiv(sum(quote) * toUInt256(1000000000000000000), sum(base)) AS block_price
            FROM trades WHERE quote >= {min_quote:UInt256}
            GROUP BY period, pool, block_number
        )
        GROUP BY period
    )
SELECT
    toUInt32(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}) AS time,
    concat('0x', lower(hex(pool))) AS pool_hex,
    countIf(verdict = 'counts') AS trade_count, countIf(verdict = 'outlier') AS outlier_count, countIf(verdict = 'dust') AS dust_count,
    toString(sumIf(base, verdict = 'counts')) AS base_sum, toString(sumIf(quote, verdict = 'counts')) AS quote_sum,
    toString(max(median)) AS median_price, maxIf(block_number, verdict = 'counts') AS last_block, toUInt32(maxIf(timestamp, verdict = 'counts')) AS last_time
FROM
(
    SELECT *, multiIf(quote < {min_quote:UInt256}, 'dust',
        if(price > median, price - median, median - price) * 100 > median * {outlier_percent:UInt32}, 'outlier', 'counts') AS verdict
    FROM (SELECT *, intDiv(toUInt32(timestamp), {judge_seconds:UInt32}) AS period FROM trades) AS judged
    LEFT JOIN medians USING (period)
)
GROUP BY time, pool
ORDER BY time, pool
