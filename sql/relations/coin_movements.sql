-- Movements of native currency of all accounts up to {through}: transactions and fees after {block}, internal transfers and
-- lost coin after {internal_after}.
-- One row per movement and account: the amount in wei, negative if the account paid.
-- Fragment account_movements has the same rules for given accounts, without lost coin, and with one row per kind. For all
-- accounts, it would take 2.7 times as long.
SELECT side.1 AS address, block_number, side.2 AS delta
FROM
(
    -- a transaction without a recipient is a failed creation: it moves nothing
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
