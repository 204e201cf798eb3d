-- Blocks by producer, calls by method, and received native currency by recipient: one row per block, per call of a method, and
-- per successful transaction with value. @source stands for a condition on final and block_number.
SELECT 'validator_blocks' AS measure, miner AS subject, timestamp, toInt256(1) AS amount
FROM (SELECT block_number, miner, timestamp FROM blocks WHERE @source LIMIT 1 BY block_number)
UNION ALL
SELECT part.1 AS measure, part.2 AS subject, timestamp, part.3 AS amount
FROM
(
    SELECT timestamp, arrayConcat(
        if(length(start) = 4 AND to IS NOT NULL, [('method_transactions', toFixedString(start, 20), toInt256(1))], []),
        if(value > 0 AND ifNull(status, 1) = 1
            AND {{recipient}} IS NOT NULL, [('received_value', assumeNotNull({{recipient}}), reinterpretAsInt256(value))], [])) AS parts
    FROM
    (
        SELECT block_number, tx_index, timestamp, substring(input, 1, 4) AS start, to, contract_address, value, status
        FROM transactions WHERE @source LIMIT 1 BY block_number, tx_index
    )
)
ARRAY JOIN parts AS part
