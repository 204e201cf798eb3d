-- name:    verified_list
-- serves:  compatible contract.listcontracts, listVerifiedContracts, listSourcifyContracts
-- params:  before_version: version of the last row of the previous page
--          | before_address: address of the last row of the previous page
-- returns: verified contracts after the previous page, newest verification first
-- reads:   verified_contracts, full scan of small columns
-- budget:  10 s, 512 MiB, 10_000 rows
SELECT lower(hex(address)) AS address_hex, version, name, language, compiler_version, runtime_match, creation_match, license
FROM verified_contracts FINAL
WHERE (version, address_hex) < ({before_version:UInt64}, {before_address:String})
ORDER BY version DESC, address_hex DESC
LIMIT {limit:UInt32} OFFSET {skip:UInt64}
