-- name:    contracts_of_code
-- serves:  listSimilarContracts
-- params:  code_hash: 64 hex digits: Keccak-256 of the code without metadata | after: 40 hex digits: last contract of the previous page
-- returns: contracts that had this code when the pipeline read it, by address
-- reads:   contract_codes by primary key, up to the requested page
-- budget:  5 s, 128 MiB, 1_000 rows
SELECT concat('0x', lower(hex(contract))) AS address_hex
FROM
(
    SELECT address AS contract FROM contract_codes
    WHERE code_hash = toFixedString(unhex({code_hash:String}), 32) AND address > toFixedString(unhex({after:String}), 20)
    ORDER BY code_hash, address
    LIMIT 1 BY address
    LIMIT {limit:UInt32}
)
ORDER BY contract
