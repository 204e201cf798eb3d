-- name:    verified_names
-- serves:  every route
-- returns: names of those given contracts that are verified
-- reads:   verified_contracts by primary key
-- budget:  5 s, 128 MiB, 2_000 rows
SELECT concat('0x', lower(hex(verified_contracts.address))) AS address_hex, name
FROM verified_contracts
WHERE verified_contracts.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
ORDER BY address_hex, version DESC
LIMIT 1 BY address_hex
