-- Trades of pools that count, as amounts of the coin and of dollars. grain: one row a swap; read by price and volume.
-- Parameters: pools, their side of the coin, and the decimals of their other token, three arrays of one length. A swap that
-- moved nothing, or both tokens one way, is no trade. Dollars carry 18 decimals: quote tokens have at most so many.
SELECT pool, block_number, log_index, timestamp, base, quote, toUInt256(intDiv(quote * toUInt256(1000000000000000000), base)) AS price
FROM
(
    SELECT
        pool, block_number, log_index, timestamp,
        arrayFirst((side, id) -> id = pool, sides, ids) = 0 AS is_base0,
        arrayFirst((digits, id) -> id = pool, decimals, ids) AS quote_decimals,
        reinterpretAsUInt256(abs(if(is_base0, amount0, amount1))) AS base,
        reinterpretAsUInt256(abs(if(is_base0, amount1, amount0))) * toUInt256(exp10(18 - quote_decimals)) AS quote
    FROM
    (
        SELECT pool, block_number, log_index, timestamp, amount0, amount1,
            arrayMap(id -> toFixedString(unhex(id), 20), {pools:Array(String)}) AS ids, {base_sides:Array(UInt8)} AS sides, {quote_decimals:Array(UInt8)} AS decimals
        FROM swaps
        WHERE pool IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
          AND block_number >= {from_block:UInt64} AND timestamp BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({to_time:UInt32}, 'UTC')
        LIMIT 1 BY pool, block_number, log_index
    )
    WHERE (amount0 > 0 AND amount1 < 0) OR (amount0 < 0 AND amount1 > 0)
)
