-- name:    header_counts
-- serves:  verify
-- returns: blocks whose header and stored rows differ in transactions, logs or gas
-- reads:   blocks, transactions, logs: key columns
-- budget:  300 s, 4096 MiB, 100 rows
SELECT concat('block ', toString(block_number), ': counts of its header and of its rows differ') AS detail
FROM (SELECT block_number, transaction_count, log_count, gas_used FROM blocks WHERE {{visible}} LIMIT 1 BY block_number) AS b
LEFT JOIN
(
    SELECT block_number, count() AS transactions, sum(gas_used) AS gas
        FROM (SELECT block_number, tx_index, gas_used FROM transactions WHERE {{visible}} LIMIT 1 BY block_number, tx_index) GROUP BY block_number
) AS t USING (block_number)
LEFT JOIN
(
    SELECT block_number, count() AS logs FROM (SELECT block_number, log_index FROM logs WHERE {{visible}} LIMIT 1 BY block_number, log_index)
        GROUP BY block_number
) AS l USING (block_number)
WHERE b.transaction_count != t.transactions OR b.log_count != l.logs OR b.gas_used != t.gas
LIMIT 100
