-- name:    recent_fees
-- serves:  getGasOracle
-- params:  from_block: first block to read
-- returns: one row per block, oldest first: base fee, gas, percentiles 35, 60 and 90 of the paid tips (empty block: empty
--          list), and the lowest tip (empty block: null)
-- reads:   blocks and transactions by primary key
-- budget:  10 s, 512 MiB, 1_000 rows
SELECT block_number, toUInt32(timestamp) AS time, toString(base_fee_per_gas) AS base_fee, gas_used, gas_limit,
    arrayMap(q -> toString(q), tips) AS tips_at_ranks, if(transactions = 0, NULL, toString(lowest)) AS lowest_tip, transactions
FROM
(
    SELECT block_number, timestamp, base_fee_per_gas, gas_used, gas_limit FROM blocks
    WHERE {{visible}} AND block_number >= {from_block:UInt64}
    LIMIT 1 BY block_number
) AS header
LEFT JOIN
(
    SELECT block_number, quantilesExact(0.35, 0.6, 0.9)(gas_price - least(gas_price, base_fee)) AS tips,
        min(gas_price - least(gas_price, base_fee)) AS lowest, count() AS transactions
    FROM
    (
        SELECT block_number, tx_index, gas_price FROM transactions
        WHERE {{visible}} AND block_number >= {from_block:UInt64}
        LIMIT 1 BY block_number, tx_index
    ) AS paid
    INNER JOIN
    (
        SELECT block_number, any(ifNull(base_fee_per_gas, 0)) AS base_fee FROM blocks
        WHERE {{visible}} AND block_number >= {from_block:UInt64}
        GROUP BY block_number
    ) AS base USING (block_number)
    GROUP BY block_number
) AS paid USING (block_number)
ORDER BY block_number
