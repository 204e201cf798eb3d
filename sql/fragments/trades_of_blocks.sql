-- Trades of pools that count, as amounts of the coin and of dollars. grain: one row a block of a pool, its trades an array;
-- read by price and volume. Parameters: pools, their side of the coin, and the decimals of their other token, three arrays of
-- one length. A swap that moved nothing, or both tokens one way, is no trade. Dollars carry 18 decimals.
-- Repeated rows are left out by groupUniqArray: LIMIT 1 BY took ten times as long here, and per-swap division five times.
SELECT
    pool, block_number, timestamp,
    indexOf({pools:Array(String)}, lower(hex(pool))) AS place,
    {base_sides:Array(UInt8)}[place] = 0 AS is_base0,
    toUInt256(concat('1', repeat('0', 18 - {quote_decimals:Array(UInt8)}[place]))) AS scale,
    arrayMap(s -> (
        reinterpretAsUInt256(abs(if(is_base0, s.2, s.3))),
        reinterpretAsUInt256(abs(if(is_base0, s.3, s.2))) * scale
    ), arrayFilter(s -> (s.2 > 0 AND s.3 < 0) OR (s.2 < 0 AND s.3 > 0), swapped)) AS trades,
    arrayFilter(t -> t.2 >= {min_quote:UInt256}, trades) AS judged,
    if(empty(judged), toUInt256(0), intDiv(arraySum(t -> t.2, judged) * toUInt256(1000000000000000000), arraySum(t -> t.1, judged))) AS block_price
FROM
(
    SELECT pool, block_number, any(swaps.timestamp) AS timestamp, groupUniqArray((log_index, amount0, amount1)) AS swapped
    FROM swaps
    WHERE pool IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
      AND block_number >= {from_block:UInt64} AND swaps.timestamp BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({to_time:UInt32}, 'UTC')
    GROUP BY pool, block_number
)
