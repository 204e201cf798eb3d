-- name:    watched_token_transfers
-- serves:  api
-- params:  set_id: id of a watch | from_block: lowest of the given blocks | to_block: highest of the given blocks
-- returns: token transfers from or to watched addresses in those given blocks that are on the chain, in chain order. Without
--          transfers of value 0 (anyone can emit them) or to the sender itself
-- reads:   blocks, token_transfers_by_address and address_set_members by primary key
-- budget:  20 s, 1024 MiB, 1_000_000 rows
WITH standing AS
(
    SELECT block_number AS number, hash FROM blocks
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
      AND hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32))
)
SELECT concat('0x', lower(hex(standing.hash))) AS block, t.block_number AS block_number, tx_index, log_index, batch_index,
    concat('0x', lower(hex(tx_hash))) AS tx, toUInt32(t.timestamp) AS time, concat('0x', lower(hex(token))) AS token_hex, standard,
    concat('0x', lower(hex(if(direction = 'out', address, counterparty)))) AS sender,
    concat('0x', lower(hex(if(direction = 'out', counterparty, address)))) AS recipient, toString(token_id) AS id, toString(value) AS amount
FROM token_transfers_by_address AS t
INNER JOIN standing ON standing.number = t.block_number
WHERE {{visible}} AND t.block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
  AND value > 0 AND address != counterparty
  AND address IN (SELECT address FROM address_set_members FINAL WHERE set_id = {set_id:String} AND is_member = 1)
ORDER BY block_number, log_index, batch_index
LIMIT 1 BY block_number, log_index, batch_index
