-- name:    certify_transfers_of_token
-- serves:  exportRows, certifyExport
-- params:  token String 40 hex digits | snapshot (blocks visible to readers) | from_block UInt64
--          | to_block UInt64 both inclusive and finalized | at_block UInt64
--          | at_index Int64 log index of the last row of the previous export, minus 1, because that log may contain further
--            transfers | at_batch Int64 batch index of that row
-- returns: one row: number of rows of the export, and a digest of these rows, each written as
--          blockNumber:logIndex:batchIndex:token:from:to:tokenId:value
-- reads:   the same rows as export_transfers_of_token, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transfer_identity}})}} AS digest
FROM token_transfers FINAL WHERE token = unhex({token:String}) AND {{export_window(log_index)}} AND {{export_behind_batch}}
