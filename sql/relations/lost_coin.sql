-- Native currency that destroyed contracts lost: amounts that they sent to themselves by SELFDESTRUCT, and amounts that they
-- received later in the same transaction.
-- Since Cancun (EIP-6780), SELFDESTRUCT destroys only a contract that the same transaction created. Before, it destroyed any
-- contract, but only self-destructs with value are stored. On a chain without blob fields, all blocks count as Cancun.
-- One row per transaction and contract: the amount in wei. @source stands for a condition on block_number and from of
-- self-destructs.
WITH
    (SELECT min(block_number) FROM blocks WHERE {{visible}} AND excess_blob_gas IS NOT NULL) AS cancun,
    ended AS
    (
        SELECT block_number, tx_index FROM internal_calls
        WHERE {{visible}} AND @source AND type = 'selfdestruct' AND error = ''
    ),
    creations AS
    (
        SELECT block_number, tx_index, contract_address FROM transactions
        WHERE {{visible}} AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM ended) AND contract_address IS NOT NULL
    ),
    call_sides AS
    (
        SELECT block_number, tx_index, call_index, value, arrayJoin(arrayDistinct([from, ifNull(to, from)])) AS address,
            from = address AS is_sender, ifNull(to, from) = address AS is_recipient,
            is_sender AND type = 'selfdestruct' AS is_end, is_recipient AND type IN ('create', 'create2') AS is_creation
        FROM internal_calls FINAL
        WHERE {{visible}} AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM ended) AND error = ''
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
SELECT block_number, address,
    sumIf(value, is_end AND is_recipient) + sumIf(value, is_recipient AND call_index > last_end) - sumIf(value, is_sender AND call_index > last_end) AS amount
FROM
(
    SELECT *, maxIf(call_index, is_end) OVER whole AS last_end, max(is_end) OVER whole AS is_ended, max(is_creation) OVER whole AS is_created
    FROM call_sides
    WINDOW whole AS (PARTITION BY block_number, tx_index, address)
)
WHERE is_ended
    AND (is_created OR block_number < cancun
        OR (block_number, tx_index, address) IN (SELECT block_number, tx_index, contract_address FROM creations))
GROUP BY block_number, tx_index, address
HAVING amount > 0
