-- name:    audit_rows
-- serves:  pipeline
-- params:  to_block: last finalized block to count
-- returns: one row: number of transactions and logs, from block headers and from stored rows
-- reads:   blocks, transactions and logs: key columns
-- budget:  900 s, 4096 MiB, 1 row
SELECT
    headers.1 AS header_transactions, headers.2 AS header_logs,
    (SELECT count() FROM transactions FINAL WHERE final = 1 AND block_number <= {to_block:UInt64}) AS stored_transactions,
    (SELECT count() FROM logs FINAL WHERE final = 1 AND block_number <= {to_block:UInt64}) AS stored_logs
FROM
(
    SELECT (sum(transaction_count), sum(log_count)) AS headers
    FROM (SELECT transaction_count, log_count FROM blocks FINAL WHERE final = 1 AND block_number <= {to_block:UInt64})
)
