-- name:    block_figures_missing
-- serves:  verify
-- returns: blocks whose row of block_figures is missing or differs from the block header
-- reads:   blocks and block_figures: a few columns
-- budget:  300 s, 4096 MiB, 100 rows
SELECT concat('block ', toString(block_number), ': its header and its figures differ') AS detail
FROM (SELECT block_number, transaction_count, log_count, gas_used, fees FROM blocks WHERE {{visible}} LIMIT 1 BY block_number) AS b
LEFT JOIN
(
    SELECT block_number, block_count, transaction_count, log_count, gas_used, fees FROM block_figures WHERE {{visible}} LIMIT 1 BY block_number
) AS f USING (block_number)
WHERE f.block_count != 1 OR b.transaction_count != f.transaction_count OR b.log_count != f.log_count OR b.gas_used != f.gas_used OR b.fees != f.fees
LIMIT 100
