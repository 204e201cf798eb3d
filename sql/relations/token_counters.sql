-- Figures of tokens by rollup window; the argument is a subquery of transfers.
-- grain: one row per rollup window, token and standard; stored in token_counter_eras, and computed live after the last closed window.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, count() AS transfer_count,
    countIf(from = toFixedString('', 20)) AS mint_count, countIf(to = toFixedString('', 20)) AS burn_count,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time
FROM (@source)
GROUP BY era, token, standard
