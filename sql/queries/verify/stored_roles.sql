-- name:    stored_roles
-- serves:  verify
-- returns: roles of each address in each transaction
-- reads:   address_roles: column block_number in full, other columns of these blocks
-- budget:  120 s, 2048 MiB, 10_000_000 rows
SELECT concat(toString(block_number), ':', toString(tx_index), ':0x', lower(hex(address))) AS key,
    toString(roles) AS roles, concat('0x', lower(hex(tx_hash))) AS tx_hash,
    concat('0x', lower(hex(block_hash))) AS block_hash, toString(value) AS value, toString(fee) AS fee,
    ifNull(toString(status), '') AS status
FROM address_roles
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
LIMIT 1 BY address, block_number, tx_index, tx_hash
