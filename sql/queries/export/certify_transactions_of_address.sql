-- name:    certify_transactions_of_address
-- serves:  exportRows, certifyExport
-- params:  to_block: last block, inclusive; it is finalized | at_index: index, within its block, of the last row in the previous export
-- returns: one row: number of exported rows, and the digest of their texts
-- reads:   the same rows as export_transactions_of_address, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transaction_identity(tx_hash)}})}} AS digest
FROM address_roles FINAL WHERE address = unhex({address:String}) AND {{export_window(tx_index)}}
