-- Counters of accounts, such as the number of transactions: one row per address and rollup window of {era_blocks} blocks.
-- @source stands for a condition on address_roles.
-- Table account_counter_eras has the rows of complete windows. Requests compute the rows of later blocks.
SELECT
    intDiv(block_number, {era_blocks:UInt64}) AS era, address,
    count() AS transaction_count,
    sum(each.sent_count) AS sent_count, sum(each.received_count) AS received_count, sum(each.log_count) AS log_count,
    sum(each.value_in) AS value_in, sum(each.value_out) AS value_out, sum(each.fees) AS fees,
    min(block_number) AS first_block, max(block_number) AS last_block, min(timestamp) AS first_time, max(timestamp) AS last_time
FROM (SELECT address, block_number, timestamp, {{role_figures}} FROM address_roles WHERE @source LIMIT 1 BY address, block_number, tx_index) AS each
GROUP BY era, address
