-- name:    pool_reserves
-- serves:  getPrice
-- params:  holders: 40 hex digits each: liquidity pools
-- returns: balance of each pool and token according to transfers, in the smallest unit
-- reads:   token_balance_eras_by_holder by primary key, token_transfers_by_address after the rollup windows
-- budget:  10 s, 1024 MiB, 100_000 rows
SELECT concat('0x', lower(hex(holder))) AS holder_hex, concat('0x', lower(hex(token))) AS token_hex, toString(sum(delta)) AS balance
FROM
(
    SELECT holder, token, delta
    FROM
    (
        SELECT holder, token, token_id, era, delta FROM token_balance_eras_by_holder
        WHERE standard = 'erc20' AND holder IN (SELECT toFixedString(unhex(arrayJoin({holders:Array(String)})), 20))
            AND era < intDiv({era_through:UInt64}, {era_blocks:UInt64})
        LIMIT 1 BY holder, token, token_id, era
    )
    UNION ALL
    SELECT address AS holder, token, if(direction = 'in', reinterpretAsInt256(value), -reinterpretAsInt256(value)) AS delta
    FROM
    (
        SELECT address, token, direction, value FROM token_transfers_by_address
        WHERE standard = 'erc20' AND address IN (SELECT toFixedString(unhex(arrayJoin({holders:Array(String)})), 20))
            AND block_number >= {era_through:UInt64} AND {{visible}}
        LIMIT 1 BY address, block_number, log_index, batch_index, direction
    )
)
WHERE token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
GROUP BY holder, token
