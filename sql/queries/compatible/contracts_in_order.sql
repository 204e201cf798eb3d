-- name:    contracts_in_order
-- serves:  compatible contract.listcontracts
-- params:  snapshot (blocks visible to readers) | skip UInt64 rows to skip | limit UInt32 1..10_000
-- returns: contracts created by transactions, oldest first
-- reads:   contract_creations, from its start up to the requested page
-- budget:  10 s, 1024 MiB, 10_000 rows
SELECT address
FROM contract_creations
WHERE {{visible}}
ORDER BY block_number, tx_index
LIMIT 1 BY address
LIMIT {limit:UInt32} OFFSET {skip:UInt64}
