-- Movements of native currency and tokens of {accounts} (40 hex digits each) in blocks {from_block} to {to_block}, one row per
-- movement and account. A transfer between two of the accounts, or from an account to itself, has two rows. `position` orders
-- the movements of a transaction.
-- The last movement of a block pays its producer the fees without the burned part.
SELECT address, block_number, tx_index, timestamp, tx_hash, move.1 AS kind, move.2 AS position, move.3 AS is_in, move.4 AS amount,
    move.5 AS counterparty, '' AS token, toUInt256(0) AS token_id
FROM
(
    SELECT address, block_number, tx_index, timestamp, tx_hash, {{coin_moves(roles)}} AS moves
    FROM address_roles FINAL
    WHERE address IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
ARRAY JOIN moves AS move
UNION ALL
SELECT address, block_number, tx_index, timestamp, tx_hash, 'internal' AS kind, 10 + 2 * toUInt64(call_index) + side AS position, side AS is_in,
    value AS amount, concat(if(side = 1, from, ifNull(to, toFixedString('', 20))), '') AS counterparty, '' AS token, toUInt256(0) AS token_id
FROM
(
    SELECT address, block_number, tx_index, timestamp, tx_hash, call_index, from, to, value,
        arrayJoin(arrayConcat(if(from = address, [toUInt8(0)], []), if(to = address, [toUInt8(1)], []))) AS side
    FROM internal_calls_by_address FINAL
    WHERE address IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
        AND error = '' AND value > 0
    SETTINGS do_not_merge_across_partitions_select_final = 1
)
UNION ALL
SELECT address, block_number, tx_index, timestamp, tx_hash, toString(standard) AS kind,
    10000000000 + toUInt64(log_index) * 100000 + toUInt64(batch_index) * 2 + if(direction = 'in', 1, 0) AS position,
    toUInt8(direction = 'in') AS is_in, value AS amount, concat(counterparty, '') AS counterparty, concat(token, '') AS token, token_id
FROM token_transfers_by_address FINAL
WHERE address IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
SETTINGS do_not_merge_across_partitions_select_final = 1
UNION ALL
SELECT miner AS address, block_number, toUInt32(4294967295) AS tx_index, timestamp, toFixedString('', 32) AS tx_hash, 'produced' AS kind,
    toUInt64(0) AS position, toUInt8(1) AS is_in, toUInt256(fees - burned) AS amount, '' AS counterparty, '' AS token, toUInt256(0) AS token_id
FROM blocks FINAL
WHERE miner IN {{asked_addresses(accounts)}} AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND fees > burned
SETTINGS do_not_merge_across_partitions_select_final = 1
