-- Trades of liquidity pools between the native currency and a dollar token: one row per block and pool with swaps. Column
-- trades is an array of (native amount, dollars with 18 decimals, whether the pool was liquid). A swap with a zero amount, or
-- with both tokens in one direction, is no trade.
-- Four parameters are arrays of the same length: {pools}, {base_sides} (position of the native currency in the pool, 0 or 1),
-- {quote_tokens} (the other token) and {quote_decimals}.
-- A pool is liquid at a trade if it held {min_liquidity} dollars before the block, before the trade and after it. So funds
-- borrowed for one transaction don't count. Pools emit the log of a swap after its transfers, so the pool's balance is the sum
-- of all transfers of the other token up to this log. Single swaps are checked only in blocks whose outflow could take the pool
-- below {min_liquidity}.
-- groupUniqArray removes duplicate rows: LIMIT 1 BY takes ten times as long here. Dividing {min_liquidity} once takes a fifth
-- of the time of a division per swap.
-- A value with several uses has its own subquery level. As an alias, ClickHouse would repeat its expression at each use: a
-- query tree of 5,600 lines, and 100 ms before the first row is read.
SELECT
    pool, block_number, timestamp, trades,
    arrayFilter(t -> t.3 AND t.2 >= {min_quote:UInt256}, trades) AS judged,
    if(empty(judged), toUInt256(0), intDiv(arraySum(t -> t.2, judged) * toUInt256(1000000000000000000), arraySum(t -> t.1, judged))) AS block_price
FROM
(
    SELECT
        pool, block_number, timestamp,
        arrayMap(s -> held_before >= least_held AND (held_before + arraySum(m -> if(m.1 <= s.1, m.4, toInt256(0)), moves) AS held_after) >= least_held
            AND held_after - s.3 >= least_held, arraySlice(swaps_of_block, 1, if(is_liquid_throughout, 0, length(swaps_of_block)))) AS are_liquid,
        arrayMap((s, l) -> (reinterpretAsUInt256(abs(s.2)), reinterpretAsUInt256(abs(s.3)) * scale, l),
            swaps_of_block, arrayResize(are_liquid, length(swaps_of_block), 1)) AS trades
    FROM
    (
        SELECT
            pool, block_number, timestamp, scale, least_held, moves, swaps_of_block, held_before,
            held_before + arraySum(m -> least(m.4, toInt256(0)), moves) >= least_held AS is_liquid_throughout
        FROM
        (
            SELECT
                pool, block_number, timestamp, scale, toInt256(intDiv({min_liquidity:UInt256} + scale - 1, scale)) AS least_held, moves,
                arrayFilter(s -> (s.2 > 0 AND s.3 < 0) OR (s.2 < 0 AND s.3 > 0), sides) AS swaps_of_block,
                held - arraySum(m -> m.4, moves) AS held_before
            FROM
            (
                SELECT
                    pool, swapped_at.block_number AS block_number, swapped_at.timestamp AS timestamp, scale, held,
                    if(reserve.block_number = swapped_at.block_number, reserve.moved, []) AS moves,
                    if({base_sides:Array(UInt8)}[place] = 0, swapped, arrayMap(s -> (s.1, s.3, s.2), swapped)) AS sides
                FROM
                (
                    SELECT
                        pool, block_number, any(swaps.timestamp) AS timestamp, groupUniqArray((log_index, amount0, amount1)) AS swapped,
                        indexOf({pools:Array(String)}, lower(hex(pool))) AS place,
                        toUInt256(concat('1', repeat('0', 18 - {quote_decimals:Array(UInt8)}[place]))) AS scale
                    FROM swaps
                    WHERE pool IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
                      AND block_number >= {from_block:UInt64}
                      AND swaps.timestamp BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({to_time:UInt32}, 'UTC')
                    GROUP BY pool, block_number
                ) AS swapped_at
                ASOF LEFT JOIN
                (
                    SELECT pool, block_number, groupUniqArray((log_index, batch_index, incoming, delta)) AS moved,
                        sum(arraySum(m -> m.4, moved)) OVER (PARTITION BY pool ORDER BY block_number ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS held
                    FROM
                    (
                        SELECT address AS pool, block_number, log_index, batch_index, direction = 'in' AS incoming,
                            if(incoming, reinterpretAsInt256(value), -reinterpretAsInt256(value)) AS delta
                        FROM token_transfers_by_address AS transfers
                        WHERE address IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
                          AND block_number >= {reserve_block:UInt64} AND transfers.timestamp <= toDateTime({to_time:UInt32}, 'UTC')
                          AND standard = 'erc20' AND (address, token) IN ({{quoted_pools}})
                        UNION ALL
                        SELECT holder, era * {era_blocks:UInt64}, 0, 0, 0, delta
                        FROM token_balance_eras_by_holder
                        WHERE holder IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20))
                          AND era < intDiv({reserve_block:UInt64}, {era_blocks:UInt64}) AND standard = 'erc20' AND (holder, token) IN ({{quoted_pools}})
                    )
                    GROUP BY pool, block_number
                ) AS reserve ON swapped_at.pool = reserve.pool AND swapped_at.block_number >= reserve.block_number
            )
        )
    )
)
