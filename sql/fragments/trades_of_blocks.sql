-- Trades of pools, as amounts of the coin and of dollars. grain: one row a block of a pool with swaps, its trades an array of
-- (coin, dollars, whether the pool was liquid); read by price and volume. Parameters: pools, their side of the coin, their other
-- token and its decimals, four arrays of one length. A swap that moved nothing, or both tokens one way, is no trade.
-- Dollars carry 18 decimals. A pool is liquid at a trade where it held min_liquidity dollars before and after it, by the transfers
-- of its other token up to the log of the swap (kinds V2 and V3 emit their swap behind its transfers).
-- Repeated rows are left out by groupUniqArray: LIMIT 1 BY took ten times as long here, and per-swap division five times.
SELECT
    pool, block_number, at AS timestamp,
    indexOf({pools:Array(String)}, lower(hex(pool))) AS place,
    {base_sides:Array(UInt8)}[place] = 0 AS is_base0,
    toUInt256(concat('1', repeat('0', 18 - {quote_decimals:Array(UInt8)}[place]))) AS scale,
    arrayMap(s -> (
        reinterpretAsUInt256(abs(if(is_base0, s.2, s.3))),
        reinterpretAsUInt256(abs(if(is_base0, s.3, s.2))) * scale,
        (held + arraySum(m -> if(m.1 <= s.1, m.4, toInt256(0)), moved) AS held_after) >= least_held
            AND held_after - if(is_base0, s.3, s.2) >= least_held
    ), arrayFilter(s -> (s.2 > 0 AND s.3 < 0) OR (s.2 < 0 AND s.3 > 0), swapped)) AS trades,
    arrayFilter(t -> t.3 AND t.2 >= {min_quote:UInt256}, trades) AS judged,
    if(empty(judged), toUInt256(0), intDiv(arraySum(t -> t.2, judged) * toUInt256(1000000000000000000), arraySum(t -> t.1, judged))) AS block_price,
    toInt256(intDiv({min_liquidity:UInt256} + scale - 1, scale)) AS least_held
FROM
(
    SELECT
        pool, block_number, max(moment) AS at,
        groupUniqArrayIf((log_index, amount0, amount1), is_swap) AS swapped,
        groupUniqArrayIf((log_index, batch_index, incoming, delta), NOT is_swap) AS moved,
        sum(arraySum(m -> m.4, moved)) OVER (PARTITION BY pool ORDER BY block_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held
    FROM
    (
        SELECT pool, block_number, swaps.timestamp AS moment, 1 AS is_swap, log_index, amount0, amount1, 0 AS batch_index, 0 AS incoming, toInt256(0) AS delta
        FROM swaps
        WHERE pool IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
          AND block_number >= {from_block:UInt64} AND swaps.timestamp BETWEEN toDateTime({from_time:UInt32}, 'UTC') AND toDateTime({to_time:UInt32}, 'UTC')
        UNION ALL
        SELECT
            address, block_number, toDateTime(0, 'UTC'), 0, log_index, toInt256(0), toInt256(0), batch_index, direction = 'in',
            if(direction = 'in', reinterpretAsInt256(value), -reinterpretAsInt256(value))
        FROM token_transfers_by_address AS transfers
        WHERE address IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND {{visible}}
          AND block_number >= {reserve_block:UInt64} AND transfers.timestamp <= toDateTime({to_time:UInt32}, 'UTC')
          AND standard = 'erc20' AND (address, token) IN (SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)})))
        UNION ALL
        SELECT holder, era * {era_blocks:UInt64}, toDateTime(0, 'UTC'), 0, 0, toInt256(0), toInt256(0), 0, 0, delta
        FROM holder_balance_eras
        WHERE holder IN (SELECT toFixedString(unhex(arrayJoin({pools:Array(String)})), 20)) AND era < intDiv({reserve_block:UInt64}, {era_blocks:UInt64})
          AND standard = 'erc20' AND (holder, token) IN (SELECT arrayJoin(arrayMap((p, q) -> (toFixedString(unhex(p), 20), toFixedString(unhex(q), 20)), {pools:Array(String)}, {quote_tokens:Array(String)})))
    )
    GROUP BY pool, block_number
)
WHERE notEmpty(swapped)
