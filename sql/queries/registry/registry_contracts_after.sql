-- name:    registry_contracts_after
-- serves:  listRegistryStrings
-- params:  after: 40 hex digits: last address of the previous page
-- returns: contracts created by transactions that are not in the registry file (list of named addresses), by address
-- reads:   contract_creations and registry_entities by primary key
-- budget:  10 s, 1024 MiB, 201 rows
SELECT concat('0x', lower(hex(address))) AS address_hex
FROM contract_creations
WHERE {{visible}} AND address > toFixedString(unhex({after:String}), 20) AND address NOT IN ({{registry_addresses('contract')}})
ORDER BY address
LIMIT 1 BY address
LIMIT {limit:UInt32}
