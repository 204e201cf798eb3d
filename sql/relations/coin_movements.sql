-- Movements of native currency of all accounts: transactions and fees in blocks after {block}, internal transfers of all blocks.
-- Returns one row per movement and account, with the amount in wei, negative if the account paid.
-- Fragment account_movements has the same rules, but selects movements by account.
SELECT address, block_number, if(move.3 = 1, toInt256(move.4), -toInt256(move.4)) AS delta
FROM
(
    SELECT side.1 AS address, block_number, {{coin_moves(side.2)}} AS moves
    FROM
    (
        SELECT block_number, from, to, contract_address, value, fee, status,
            arrayJoin([(from, toUInt8(1)), (ifNull({{recipient}}, from), toUInt8(if({{recipient}} IS NULL, 0, 2)))]) AS side
        FROM transactions FINAL
        WHERE {{visible}} AND block_number > {block:UInt64}
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
)
ARRAY JOIN moves AS move
UNION ALL
SELECT side.1 AS address, block_number, if(side.2 = 1, toInt256(value), -toInt256(value)) AS delta
FROM
(
    SELECT block_number, value, arrayJoin([(from, toUInt8(0)), (ifNull(to, from), toUInt8(1))]) AS side
    FROM internal_calls FINAL
    WHERE {{visible}} AND error = '' AND value > 0
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
UNION ALL
SELECT miner AS address, block_number, toInt256(toUInt256(fees - burned)) AS delta
FROM blocks FINAL
WHERE {{visible}} AND block_number > {block:UInt64} AND fees > burned
SETTINGS do_not_merge_across_partitions_select_final = 1
