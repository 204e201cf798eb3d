-- name:    verified_contract
-- serves:  compatible contract.getsourcecode, compatible contract.verifysourcecode, getContract, getSourcifyContract, getSourcifyJob
-- returns: the newest verification of this contract, or no row
-- reads:   verified_contracts by primary key
-- budget:  5 s, 512 MiB, 1 row
SELECT lower(hex(verified_contracts.address)) AS address_hex, version, lower(hex(code_hash)) AS code_hash_hex, runtime_match, creation_match, name, path,
    language, compiler_version, input_kind, license, settings, sources, abi, documentation, storage_layout, metadata,
    transformations, libraries, constructor_arguments, compiled_runtime, compiled_creation
FROM verified_contracts
WHERE verified_contracts.address = toFixedString(unhex({address:String}), 20)
ORDER BY version DESC
LIMIT 1
