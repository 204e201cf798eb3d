-- name:    contracts_of_code
-- serves:  listSimilarContracts
-- params:  code_hash: 64 hex digits: Keccak-256 of the code without metadata | after: 40 hex digits: last contract of the previous page
-- returns: contracts that had this code when the pipeline read it, by address
-- reads:   contract_codes by primary key
-- budget:  5 s, 128 MiB, 1_000 rows
SELECT DISTINCT concat('0x', lower(hex(contract_codes.address))) AS address_hex
FROM contract_codes
WHERE code_hash = toFixedString(unhex({code_hash:String}), 32) AND contract_codes.address > toFixedString(unhex({after:String}), 20)
ORDER BY address_hex
LIMIT {limit:UInt32}
