-- name:    certify_transactions_of_address
-- serves:  exportRows, certifyExport
-- params:  address String 40 hex digits | snapshot (blocks visible to readers) | from_block UInt64
--          | to_block UInt64 both inclusive and finalized | at_block UInt64
--          | at_index Int64 position of the last row of the previous export
-- returns: one row: number of rows of the export, and a digest of these rows, each written as
--          blockNumber:txIndex:txHash:status:gasUsed:fee
-- reads:   the same rows as export_transactions_of_address, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transaction_identity(tx_hash)}})}} AS digest
FROM address_roles FINAL WHERE address = unhex({address:String}) AND {{export_window(tx_index)}}
