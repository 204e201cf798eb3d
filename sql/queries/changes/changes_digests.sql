-- name:    changes_digests
-- serves:  listChanges
-- returns: row count, and digest as in the certificate of an export: one row per block and table with rows of the block
-- reads:   blocks, transactions and logs by primary key
-- budget:  60 s, 2048 MiB, 100_000 rows
SELECT 'anchors' AS table_name, block_number, count() AS row_count, {{export_digest({{export_anchor_identity}})}} AS digest
FROM blocks FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
GROUP BY block_number
SETTINGS do_not_merge_across_partitions_select_final = 1
UNION ALL
SELECT 'transactions' AS table_name, block_number, count() AS row_count, {{export_digest({{export_transaction_identity(hash)}})}} AS digest
FROM transactions FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
GROUP BY block_number
SETTINGS do_not_merge_across_partitions_select_final = 1
UNION ALL
SELECT 'transfers' AS table_name, block_number, count() AS row_count, {{export_digest({{export_transfer_identity}})}} AS digest
FROM ({{token_transfers_of_logs((SELECT * FROM logs FINAL
    WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
    SETTINGS do_not_merge_across_partitions_select_final = 1))}})
GROUP BY block_number
UNION ALL
SELECT 'logs' AS table_name, block_number, count() AS row_count, {{export_digest({{export_log_identity}})}} AS digest
FROM logs FINAL
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64}
GROUP BY block_number
SETTINGS do_not_merge_across_partitions_select_final = 1
