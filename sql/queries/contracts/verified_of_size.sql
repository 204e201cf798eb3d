-- name:    verified_of_size
-- serves:  compatible contract.getsourcecode, compatible contract.getabi
-- params:  code_size: bytes
-- returns: verified contracts with code of this size: hash of the code with open_ranges set to zero, and open_ranges (JSON),
--          the parts that the source does not determine. Exact matches first, then the oldest verification
-- reads:   verified_contracts, full scan of a small column
-- budget:  5 s, 512 MiB, 1_000 rows
SELECT lower(hex(address)) AS address_hex, lower(hex(masked_hash)) AS masked_hash_hex, open_ranges, name,
    JSONExtractRaw(transformations, 'runtimeTransformations') AS runtime_parts
FROM verified_contracts FINAL
WHERE code_size = {code_size:UInt32} AND runtime_match != ''
ORDER BY runtime_match = 'perfect' DESC, version
LIMIT {limit:UInt32}
