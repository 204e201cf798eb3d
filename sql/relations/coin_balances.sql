-- Balances of native currency after {block}: a known balance from the table {known} (account_balances or coin_checkpoints),
-- minus later movements, or plus the movements up to {block} that it lacks. @source stands for a condition on accounts.
-- One row per account of this table, even for balance 0: the balance in wei, and the block of the known balance. A negative
-- balance means that native currency moved in unknown ways.
SELECT known.address AS account, toInt256(known.balance) - moved.change AS signed, known.known_at AS known_at
FROM
(
    SELECT address, balance, block_number AS known_at FROM {known:Identifier} FINAL
    WHERE block_number >= {known_from:UInt64} AND block_number <= {through:UInt64} AND @source
) AS known
LEFT JOIN
(
    -- movements after {block} in the known balance, minus movements up to {block} that it lacks
    SELECT address, sumIf(delta, block_number > {block:UInt64}) - sumIf(delta, block_number <= {block:UInt64}) AS change
    FROM ({{coin_movements}}) AS movement
    INNER JOIN
    (
        SELECT address, block_number AS known_at FROM {known:Identifier} FINAL
        WHERE block_number >= {known_from:UInt64} AND block_number <= {through:UInt64} AND @source
    ) AS origin ON origin.address = movement.address
    WHERE (block_number <= origin.known_at) = (block_number > {block:UInt64})
    GROUP BY address
) AS moved ON moved.address = known.address
