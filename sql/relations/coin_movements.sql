-- Movements of native currency of all accounts: transactions and fees of the blocks after {block} up to {through}, internal transfers
-- and lost coin of the blocks after {internal_after} up to {through}.
-- Returns one row per movement and account, with the amount in wei, negative if the account paid.
-- Fragment account_movements has the same rules by account, with one row per kind (coin_moves) and without lost coin: 2.7 times as slow
-- for all accounts.
SELECT side.1 AS address, block_number, side.2 AS delta
FROM
(
    -- a transaction without a recipient is a failed creation, which moves nothing
    SELECT block_number, arrayJoin([(from, -toInt256(fee + {{moved_coin}})), (ifNull({{recipient}}, from), toInt256({{moved_coin}}))]) AS side
    FROM transactions FINAL
    WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
UNION ALL
SELECT side.1 AS address, block_number, if(side.2 = 1, toInt256(value), -toInt256(value)) AS delta
FROM
(
    SELECT block_number, value, arrayJoin([(from, toUInt8(0)), (ifNull(to, from), toUInt8(1))]) AS side
    FROM internal_calls FINAL
    WHERE {{visible}} AND block_number > {internal_after:UInt64} AND block_number <= {through:UInt64} AND error = '' AND value > 0
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
UNION ALL
SELECT address, block_number, -toInt256(amount) AS delta FROM ({{lost_coin(block_number > {internal_after:UInt64} AND block_number <= {through:UInt64})}})
UNION ALL
SELECT miner AS address, block_number, toInt256(toUInt256(fees - burned)) AS delta
FROM blocks FINAL
WHERE {{visible}} AND block_number > {block:UInt64} AND block_number <= {through:UInt64} AND fees > burned
SETTINGS do_not_merge_across_partitions_select_final = 1
