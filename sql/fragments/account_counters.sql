-- Figures of accounts over the rows of address_roles that the argument selects.
-- grain: one row an era and address; written into account_counter_eras, and read live behind the last closed era.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, address,
    count() AS transaction_count,
    countIf(bitTest(roles, 0)) AS sent_count, countIf(bitTest(roles, 1)) AS received_count, countIf(bitTest(roles, 2)) AS log_count,
    sumIf(value, bitTest(roles, 1) AND ifNull(status, 1) = 1) AS value_in,
    sumIf(value, bitTest(roles, 0) AND ifNull(status, 1) = 1) AS value_out,
    sumIf(fee, bitTest(roles, 0)) AS fees,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time, max(timestamp) AS last_time
FROM
(
    SELECT address, block_number, tx_index, roles, value, fee, status, timestamp
    FROM address_roles WHERE @source LIMIT 1 BY address, block_number, tx_index
)
GROUP BY era, address
