-- name:    txlist_asc
-- serves:  compatible account.txlist
-- params:  snapshot | address String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | skip UInt32 rows of the pages before | limit UInt32 1..10_001
-- returns: one row per transaction with sender, recipient or created contract equal to the address, oldest first
-- reads:   address_roles by its key; transactions and blocks at the places found
-- budget:  20 s, 2048 MiB, 10_001 rows
WITH page AS
(
    SELECT block_number, tx_index, tx_hash, timestamp, from, to, contract_address, value, nonce, gas_limit, gas_used, gas_price, status, method_id
    FROM address_roles
    WHERE address = unhex({address:String}) AND {{visible}}
      AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND bitAnd(roles, 3) != 0
    ORDER BY block_number, tx_index
    LIMIT 1 BY block_number, tx_index
    LIMIT {skip:UInt32}, {limit:UInt32}
)
SELECT
    block_number, tx_index, concat('0x', lower(hex(tx_hash))) AS tx_hash, toUInt32(timestamp) AS timestamp,
    concat('0x', lower(hex(b.hash))) AS block_hash, concat('0x', lower(hex(from))) AS from,
    if(to IS NULL, '', concat('0x', lower(hex(to)))) AS to,
    if(contract_address IS NULL, '', concat('0x', lower(hex(contract_address)))) AS contract_address,
    toString(value) AS value, nonce, gas_limit, gas_used, toString(gas_price) AS gas_price, status,
    concat('0x', lower(hex(method_id))) AS method_id, t.cumulative_gas_used AS cumulative_gas_used, concat('0x', lower(hex(t.input))) AS input
FROM page
LEFT ANY JOIN
(
    SELECT block_number, tx_index, cumulative_gas_used, input FROM transactions
    WHERE {{visible}} AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM page)
) AS t USING (block_number, tx_index)
LEFT ANY JOIN
(
    SELECT block_number, hash FROM blocks
    WHERE {{visible}} AND block_number IN (SELECT block_number FROM page)
) AS b USING (block_number)
ORDER BY block_number, tx_index
