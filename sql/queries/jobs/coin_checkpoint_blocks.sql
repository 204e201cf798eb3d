-- name:    coin_checkpoint_blocks
-- serves:  pipeline
-- params:  through: last block | blocks: number of blocks per group | transactions: number of transactions between checkpoints
-- returns: last blocks of the groups in which the number of all transactions so far passes a multiple of {transactions}, highest first
-- reads:   blocks, columns block_number and transaction_count, full scan
-- budget:  60 s, 512 MiB, 100_000 rows
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
WHERE intDiv(reached, {transactions:UInt64}) > intDiv(reached - own, {transactions:UInt64})
ORDER BY part DESC
