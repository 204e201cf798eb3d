-- name:    history_desc
-- serves:  listAccountTransactions
-- params:  snapshot | address String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index UInt32 position of the last row sent, exclusive | role_mask UInt8 1 from, 2 to, 4 log
--          | limit UInt32 1..201
-- returns: one row per transaction, newest first
-- reads:   address_roles by its key, backwards
-- budget:  10 s, 1024 MiB, 1_001 rows
SELECT
    block_number, tx_index, roles, concat('0x', lower(hex(tx_hash))) AS tx_hash, toUInt32(timestamp) AS timestamp, type,
    concat('0x', lower(hex(from))) AS from, if(to IS NULL, NULL, concat('0x', lower(hex(to)))) AS to,
    if(contract_address IS NULL, NULL, concat('0x', lower(hex(contract_address)))) AS contract_address,
    toString(value) AS value, nonce, gas_limit, gas_used, toString(gas_price) AS gas_price, toString(fee) AS fee, status,
    concat('0x', lower(hex(method_id))) AS method_id
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}}
  AND block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
  AND (block_number, tx_index) < ({at_block:UInt64}, {at_index:UInt32})
  AND bitAnd(roles, {role_mask:UInt8}) != 0
ORDER BY block_number DESC, tx_index DESC
LIMIT 1 BY block_number, tx_index
LIMIT {limit:UInt32}
