-- name:    unfinalized_internal_places
-- serves:  listAccountTransactions, getSemanticHistory, compatible contract.getcontractcreation
-- params:  after: first block is the next one, unfinalized | through: last block
-- returns: one row per transaction and address that sent or received a successful internal call: position of the transaction,
--          and whether it created the contract at the address; unordered
-- reads:   internal_calls_by_address of these blocks: one partition per block
-- budget:  5 s, 512 MiB, 50_001 rows
SELECT address, block_number, tx_index, countIf(type IN ('create', 'create2') AND to = address) > 0 AS is_creation
FROM internal_calls_by_address
WHERE final = 0 AND error = '' AND block_number > {after:UInt64} AND block_number <= {through:UInt64}
GROUP BY address, block_number, tx_index
LIMIT {limit:UInt32}
