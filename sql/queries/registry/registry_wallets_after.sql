-- name:    registry_wallets_after
-- serves:  listRegistryStrings
-- params:  from_block: first block after the hours with stored figures | after: 40 hex digits: last address of the previous page
-- returns: addresses that sent a transaction and are not wallets of the registry file, by address
-- reads:   actor_firsts by primary key, transactions after the stored hours, registry_entities by primary key
-- budget:  10 s, 1024 MiB, 201 rows
SELECT DISTINCT concat('0x', lower(hex(address))) AS address_hex
FROM
(
    SELECT address FROM
    (
        SELECT address FROM actor_firsts
        WHERE kind = 'sender' AND address > toFixedString(unhex({after:String}), 20) AND first_block < {from_block:UInt64} AND first_block <= {head:UInt64}
          AND address NOT IN ({{registry_addresses('wallet')}})
        ORDER BY address LIMIT 1 BY address LIMIT {limit:UInt32}
    )
    UNION ALL
    SELECT from AS address FROM transactions
    WHERE block_number >= {from_block:UInt64} AND {{visible}} AND from > toFixedString(unhex({after:String}), 20)
      AND from NOT IN ({{registry_addresses('wallet')}})
)
ORDER BY address_hex
LIMIT {limit:UInt32}
