-- name:    certify_transfers
-- serves:  exportRows, certifyExport
-- params:  to_block: last block, inclusive; it is finalized
--          | at_index: log index of the last row of the previous export, minus 1, because that log may contain more transfers
-- returns: one row: number of exported rows, and the digest of their texts
-- reads:   the same rows as export_transfers, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transfer_identity}})}} AS digest
FROM ({{token_transfers_of_logs((SELECT * FROM logs FINAL WHERE {{export_window(log_index)}}))}})
WHERE {{export_behind_batch}}
