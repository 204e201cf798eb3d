-- name:    contracts_in_order
-- serves:  compatible contract.listcontracts
-- params:  only_unverified: 1: leave out verified contracts
-- returns: contracts created by transactions, oldest first
-- reads:   contract_creations, from its start up to the requested page; verified_contracts, full scan of one column
-- budget:  10 s, 1024 MiB, 10_000 rows
SELECT address
FROM contract_creations
WHERE {{visible}}
  AND ({only_unverified:UInt8} = 0 OR address NOT IN (SELECT verified_contracts.address FROM verified_contracts))
ORDER BY block_number, tx_index
LIMIT 1 BY address
LIMIT {limit:UInt32} OFFSET {skip:UInt64}
