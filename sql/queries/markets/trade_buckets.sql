-- name:    trade_buckets
-- serves:  getPrice, getChart, getLine, compatible stats.ethdailyprice
-- params:  pools: 40 hex digits each: liquidity pools
--          | base_sides: 0 if token0 of the pool is the native currency, 1 if token1 is
--          | quote_decimals: 0..18, decimals of the pool's other token | quote_tokens: that token, 40 hex digits each
--          | from_block: a block at or before from_time
--          | judge_seconds: length of the periods in which prices are compared with their median
--          | min_quote: minimum dollars of a counted trade, 18 decimals
--          | outlier_percent: greatest deviation of a counted price from the median
--          | min_liquidity: minimum dollars in a pool at a trade, 18 decimals
--          | reserve_block: start of a rollup window at or before from_block: earlier pool balances come from
--            token_balance_eras_by_holder
-- returns: one row per time bucket and pool: number of counted and excluded trades; amounts of the counted ones in wei and in
--          dollars (18 decimals); median price
-- reads:   swaps by primary key, token_transfers_by_address and token_balance_eras_by_holder of the pools
-- budget:  20 s, 2048 MiB, 1_000_000 rows
SELECT
    toUInt32(intDiv(toUInt32(at), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}) AS time,
    concat('0x', lower(hex(pool))) AS pool_hex,
    countIf(verdict = 'counts') AS trade_count, countIf(verdict = 'outlier') AS outlier_count, countIf(verdict = 'dust') AS dust_count,
    countIf(verdict = 'illiquid') AS illiquid_count,
    toString(sumIf(base, verdict = 'counts')) AS base_sum, toString(sumIf(quote, verdict = 'counts')) AS quote_sum,
    toString(max(median)) AS median_price, maxIf(block, verdict = 'counts') AS last_block, toUInt32(maxIf(at, verdict = 'counts')) AS last_time
FROM
(
    SELECT
        pool, block, at, median, trade.1 AS base, trade.2 AS quote,
        quote * toUInt256(1000000000000000000) AS paid, median * base AS usual,
        multiIf(NOT trade.3, 'illiquid', quote < {min_quote:UInt256}, 'dust',
            if(paid > usual, paid - usual, usual - paid) * 100 > usual * {outlier_percent:UInt32}, 'outlier', 'counts') AS verdict
    FROM
    (
        SELECT traded.1 AS pool, traded.2 AS block, traded.3 AS at, traded.4 AS trades, median
        FROM
        (
        -- one price per block and pool, so that many trades in one block can't move the median
        SELECT
            intDiv(toUInt32(timestamp), {judge_seconds:UInt32}) AS period,
            groupArrayIf(block_price, block_price > 0) AS prices,
            arraySort(prices)[intDiv(length(prices) + 1, 2)] AS median,
            groupArray((pool, block_number, timestamp, trades)) AS blocks
        FROM ({{trades_of_blocks}})
        GROUP BY period
        )
        ARRAY JOIN blocks AS traded
    )
    ARRAY JOIN trades AS trade
)
GROUP BY time, pool
ORDER BY time, pool
