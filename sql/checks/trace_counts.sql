-- name:    trace_counts
-- serves:  verify
-- returns: blocks whose stored internal calls are incomplete or belong to another block
-- reads:   block_traces, blocks, internal_calls: key columns
-- budget:  300 s, 4096 MiB, 100 rows
SELECT concat('block ', toString(block_number), ': its traces are of another block, or not all there') AS detail
FROM (SELECT block_number, block_hash, transaction_count, call_count FROM block_traces WHERE {{visible}} LIMIT 1 BY block_number) AS t
LEFT JOIN (SELECT block_number, hash, transaction_count AS transactions FROM blocks WHERE {{visible}} LIMIT 1 BY block_number) AS b USING (block_number)
LEFT JOIN
(
    SELECT block_number, count() AS calls
        FROM (SELECT block_number, tx_index, call_index FROM internal_calls WHERE {{visible}} LIMIT 1 BY block_number, tx_index, call_index)
        GROUP BY block_number
) AS c USING (block_number)
WHERE t.block_hash != b.hash OR t.transaction_count != b.transactions OR t.call_count != c.calls
LIMIT 100
