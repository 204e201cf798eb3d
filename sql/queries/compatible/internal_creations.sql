-- name:    internal_creations
-- serves:  compatible contract.getcontractcreation
-- returns: given contracts that another contract created: the creator, and the transaction with its sender; newest first. Finds
--          only creations in blocks with stored internal calls
-- reads:   internal_calls_by_address by primary key, transactions at the positions found
-- budget:  10 s, 512 MiB, 100 rows
SELECT made.to AS contract_address, made.from AS contract_factory, transactions.from AS sender, transactions.hash AS hash,
    transactions.block_number AS block_number, transactions.timestamp AS timestamp
FROM
(
    SELECT assumeNotNull(to) AS to, from, block_number, tx_index, call_index FROM internal_calls_by_address
    WHERE {{visible}} AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
      AND type IN ('create', 'create2') AND error = '' AND to = address
    LIMIT 1 BY address, block_number, tx_index, call_index
) AS made
INNER JOIN
(
    SELECT block_number, tx_index, from, hash, timestamp FROM transactions
    WHERE {{visible}} AND (block_number, tx_index) IN
    (
        SELECT block_number, tx_index FROM internal_calls_by_address
        WHERE {{visible}} AND address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND type IN ('create', 'create2')
    )
    LIMIT 1 BY block_number, tx_index
) AS transactions ON made.block_number = transactions.block_number AND made.tx_index = transactions.tx_index
ORDER BY block_number DESC, made.tx_index DESC, made.call_index DESC
LIMIT 1 BY contract_address
