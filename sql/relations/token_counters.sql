-- Number of transfers, mints and burns of tokens: one row per token, standard and rollup window (range of {era_blocks} blocks).
-- Pass a subquery of transfers as @source.
-- token_counter_eras stores the rows of complete windows. Each request computes the rows of later blocks.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, count() AS transfer_count,
    countIf(from = toFixedString('', 20)) AS mint_count, countIf(to = toFixedString('', 20)) AS burn_count,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time
FROM (@source)
GROUP BY era, token, standard
