-- Figures of tokens by era; the argument is a subquery of transfers.
-- grain: one row an era, token and standard; written into token_counter_eras, and read live behind the last closed era.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, count() AS transfer_count,
    countIf(from = toFixedString('', 20)) AS mint_count, countIf(to = toFixedString('', 20)) AS burn_count,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time
FROM (@source)
GROUP BY era, token, standard
