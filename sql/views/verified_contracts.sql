-- view:   verified_contracts
-- what:   contracts with verified source code, at the time of the query
-- fast:   filters on address
-- base:   verified_contracts
-- column: verified_at Time of the verification
SELECT address, name, path, language, compiler_version, license, runtime_match, creation_match, abi,
    toDateTime(intDiv(version, 1000), 'UTC') AS verified_at
FROM verified_contracts FINAL
