-- Number of transfers, mints and burns of tokens. @source, the argument of this fragment, is a subquery of transfers.
-- Returns one row per token, standard and rollup window (range of {era_blocks} blocks). token_counter_eras stores the rows of
-- complete windows; rows of later blocks are computed at each request.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, token, standard, count() AS transfer_count,
    countIf(from = toFixedString('', 20)) AS mint_count, countIf(to = toFixedString('', 20)) AS burn_count,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time
FROM (@source)
GROUP BY era, token, standard
