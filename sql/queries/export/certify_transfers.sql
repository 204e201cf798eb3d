-- name:    certify_transfers
-- serves:  exportRows, certifyExport
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive, final | at_block UInt64 | at_index Int64 one below the log of the last row of the export before | at_batch Int64 its place in the batch
-- returns: one row: rows of the export, and the digest over blockNumber:logIndex:batchIndex:token:from:to:tokenId:value
-- reads:   as export_transfers, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest(concat(toString(block_number), ':', toString(log_index), ':', toString(batch_index), ':0x', lower(hex(token)), ':0x', lower(hex(from)), ':0x', lower(hex(to)), ':', toString(token_id), ':', toString(value)))}} AS digest
FROM ({{token_transfers_of_logs((SELECT * FROM logs FINAL WHERE {{export_window(log_index)}}))}})
WHERE {{export_behind_batch}}
