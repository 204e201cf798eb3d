-- name:    contract_creations
-- serves:  compatible contract.getcontractcreation
-- returns: given contracts that a transaction created, with the call data of the creation; newest creation first
-- reads:   contract_creations by primary key, transactions at the positions found
-- budget:  10 s, 512 MiB, 100 rows
SELECT contract_address, from, hash, block_number, timestamp, input
FROM transactions
WHERE {{visible}} AND (block_number, tx_index) IN
(
    SELECT block_number, tx_index FROM contract_creations
    WHERE {{visible}} AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
)
ORDER BY block_number DESC, tx_index DESC
LIMIT 1 BY contract_address
