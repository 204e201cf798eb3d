-- name:    set_transfers
-- serves:  listSetTransfers
-- params:  tokens: 40 hex digits of TOKEN-20 contracts, may be empty
--          | added_ms: Unix milliseconds: only transfers to addresses added to the set then or later; 0: to all
-- returns: successful native transfers to addresses of the set, also to contracts that they create (part 0), and transfers of
--          the given tokens to these addresses from other accounts (part: log index + 1), in chain order
-- reads:   transactions, token_transfers and address_set_members by primary key
-- budget:  30 s, 4096 MiB, 1_001 rows
WITH moved AS
(
    SELECT block_number, tx_index, toInt64(0) AS part, block_hash, hash AS tx_hash, timestamp, from,
        assumeNotNull({{recipient}}) AS recipient, toFixedString('', 20) AS token, value
    FROM transactions
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{paid_recipient}}
    UNION ALL
    SELECT block_number, tx_index, toInt64(log_index) + 1, toFixedString('', 32), tx_hash, timestamp, from, to, token, value
    FROM token_transfers
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND standard = 'erc20' AND value > 0 AND from != to
      AND token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
)
SELECT block_number, tx_index, part, concat('0x', lower(hex(tx_hash))) AS hash, toUInt32(timestamp) AS time,
    concat('0x', lower(hex(from))) AS sender, concat('0x', lower(hex(recipient))) AS receiver, concat('0x', lower(hex(token))) AS token_hex,
        toString(value) AS amount
FROM moved
WHERE (block_number, tx_index, part) > ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
  AND recipient IN {{members_among(SELECT recipient FROM moved)}}
  AND ({added_ms:UInt64} = 0 OR recipient IN
    (SELECT address FROM address_set_members WHERE set_id = {set_id:String} AND address IN (SELECT recipient FROM moved)
        GROUP BY address HAVING max(version) >= {added_ms:UInt64}))
ORDER BY block_number, tx_index, part
LIMIT 1 BY block_number, tx_index, part
LIMIT {limit:UInt32}
