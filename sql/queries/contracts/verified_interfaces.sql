-- name:    verified_interfaces
-- serves:  compatible contract.listcontracts, getContract
-- returns: name, ABI and code hash of those given contracts that are verified
-- reads:   verified_contracts by primary key
-- budget:  5 s, 512 MiB, 1_000 rows
SELECT lower(hex(verified_contracts.address)) AS address_hex, lower(hex(code_hash)) AS code_hash_hex, name, abi
FROM verified_contracts
WHERE verified_contracts.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address_hex, version DESC
LIMIT 1 BY address_hex
