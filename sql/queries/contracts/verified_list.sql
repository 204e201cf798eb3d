-- name:    verified_list
-- serves:  compatible contract.listcontracts
-- params:  limit UInt32 | skip UInt64
-- returns: verified contracts, newest verification first
-- reads:   verified_contracts, full scan of small columns
-- budget:  10 s, 512 MiB, 10_000 rows
SELECT lower(hex(address)) AS address_hex, version, name, language, compiler_version, runtime_match, creation_match, license
FROM verified_contracts FINAL
ORDER BY version DESC, address_hex
LIMIT {limit:UInt32} OFFSET {skip:UInt64}
