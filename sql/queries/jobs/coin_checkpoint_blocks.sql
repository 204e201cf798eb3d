-- name:    coin_checkpoint_blocks
-- serves:  pipeline
-- params:  through: last block | blocks: number of blocks per group | transactions: minimum number of transactions between checkpoints
-- returns: last blocks of groups in which the running total of transactions passes a multiple of a step, highest first. The
--          step is {transactions}, doubled until it is at least twice the number of accounts: so checkpoints stay small
--          compared with transactions. When the step grows, each multiple of the new step is also a multiple of the old one
-- reads:   blocks (columns block_number and transaction_count) and account_balances, full scan
-- budget:  60 s, 512 MiB, 100_000 rows
WITH toUInt64({transactions:UInt64} * exp2(ceil(log2(greatest(1, 2 * (SELECT count() FROM account_balances FINAL) / {transactions:UInt64}))))) AS step
SELECT toString((part + 1) * {blocks:UInt64} - 1) AS block
FROM
(
    SELECT part, own, sum(own) OVER (ORDER BY part) AS reached
    FROM
    (
        SELECT intDiv(block_number, {blocks:UInt64}) AS part, sum(transaction_count) AS own
        FROM blocks FINAL WHERE final = 1 AND block_number <= {through:UInt64} GROUP BY part
        SETTINGS do_not_merge_across_partitions_select_final = 1
    )
)
WHERE intDiv(reached, step) > intDiv(reached - own, step)
ORDER BY part DESC
