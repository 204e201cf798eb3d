-- Balances of native currency after {block}: balances in {known} (account_balances or coin_checkpoints) minus later movements, or plus
-- the movements up to {block} that a balance lacks. Pass a condition for accounts as @source.
-- Returns one row per account of this table, even with balance 0: the balance in wei and the block of the known balance. The balance is
-- negative if native currency moved in unknown ways.
SELECT known.address AS account, toInt256(known.balance) - moved.change AS signed, known.known_at AS known_at
FROM
(
    SELECT address, balance, block_number AS known_at FROM {known:Identifier} FINAL
    WHERE block_number >= {known_from:UInt64} AND block_number <= {through:UInt64} AND @source
) AS known
LEFT JOIN
(
    -- movements after {block} that the known balance contains, minus movements up to {block} that it lacks
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
