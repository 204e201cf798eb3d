-- name:    certify_transactions
-- serves:  exportRows, certifyExport
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive and finalized
--          | at_block UInt64 | at_index Int64 position of the last row of the previous export
-- returns: one row: number of rows of the export, and a digest of these rows, each written as
--          blockNumber:txIndex:txHash:status:gasUsed:fee
-- reads:   the same rows as export_transactions, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transaction_identity(hash)}})}} AS digest
FROM transactions FINAL WHERE {{export_window(tx_index)}}
