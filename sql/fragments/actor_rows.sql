-- Who did what in the rows that the argument selects, a condition on final and block_number; with repetitions.
-- grain: one row a part taken: sender of a transaction; address that sent, received, was created or emitted a log; builder:
-- sender of a successful creation; token_sender: sender of TOKEN-20; wallet, paymaster and bundler of ERC-4337 operations.
SELECT
    CAST(part.1, 'Enum8(\'sender\' = 1, \'address\' = 2, \'builder\' = 3, \'token_sender\' = 4, \'wallet\' = 5, \'paymaster\' = 6, \'bundler\' = 7)')
        AS kind,
    toFixedString(part.2, 20) AS address, block_number, timestamp
FROM
(
    SELECT block_number, timestamp, arrayConcat(
        [(1, from), (2, from)],
        if(to IS NULL, [], [(2, assumeNotNull(to))]),
        if(contract_address IS NOT NULL AND ifNull(status, 1) = 1, [(2, assumeNotNull(contract_address)), (3, from)], [])) AS parts
    FROM transactions WHERE @source
    UNION ALL
    SELECT block_number, timestamp, arrayConcat(
        [(2, address)],
        if(topic0 = unhex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef') AND topic_count = 3 AND length(data) = 32
               AND substring(topic1, 13, 20) != toFixedString('', 20), [(4, toFixedString(substring(topic1, 13, 20), 20))], []),
        if({{is_user_operation}}, [(5, toFixedString(substring(topic2, 13, 20), 20))], []),
        if({{is_user_operation}} AND substring(topic3, 13, 20) != toFixedString('', 20), [(6, toFixedString(substring(topic3, 13, 20), 20))], [])) AS parts
    FROM logs WHERE @source
    UNION ALL
    SELECT block_number, timestamp, [(7, from)] AS parts
    FROM transactions
    WHERE @source AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM logs WHERE @source AND {{is_user_operation}})
)
ARRAY JOIN parts AS part
