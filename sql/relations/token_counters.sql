-- Number of transfers, mints and burns: one row per token, standard and rollup window of {era_blocks} blocks. @source stands
-- for a subquery of transfers.
-- Table token_counter_eras has the rows of complete windows. Requests compute the rows of later blocks.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, count() AS transfer_count,
    countIf(from = toFixedString('', 20)) AS mint_count, countIf(to = toFixedString('', 20)) AS burn_count,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time
FROM (@source)
GROUP BY era, token, standard
