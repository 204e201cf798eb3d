-- name:    set_transfers_of_blocks
-- serves:  streamAddressSet, api
-- params:  to_block: highest of the given blocks | with_senders: 1: also transfers from addresses of the set
-- returns: successful native transfers to addresses of the set, also to contracts that they create (with_senders: also
--          transfers from these addresses), in the given blocks, even if a reorg removed them; by block and position
-- reads:   transactions, orphaned_transactions and address_set_members by primary key
-- budget:  20 s, 2048 MiB, 1_000_000 rows
WITH moved AS
(
    SELECT block_hash, block_number, tx_index, hash, from, assumeNotNull({{recipient}}) AS paid, value, timestamp
    FROM transactions
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{paid_recipient}}
      AND block_hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32))
    UNION ALL
    SELECT block_hash, block_number, tx_index, hash, from, assumeNotNull({{recipient}}) AS paid, value, timestamp
    FROM orphaned_transactions
    WHERE block_hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32)) AND {{paid_recipient}}
)
SELECT concat('0x', lower(hex(block_hash))) AS block, block_number, tx_index, concat('0x', lower(hex(hash))) AS tx_hash,
    concat('0x', lower(hex(from))) AS sender, concat('0x', lower(hex(paid))) AS recipient, toString(value) AS wei, toUInt32(timestamp) AS time
FROM moved
WHERE paid IN {{members_among(SELECT paid FROM moved)}}
  OR ({with_senders:UInt8} = 1 AND from IN {{members_among(SELECT from FROM moved)}})
ORDER BY block_hash, tx_index
LIMIT 1 BY block_hash, tx_index
