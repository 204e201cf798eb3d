-- name:    export_transfers_of_token
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized
--          | at_index: log index of the last row of the previous export, minus 1, because that log may contain more transfers
-- returns: transfers of the token in the block range, oldest first; streamed
-- reads:   token_transfers by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_transfer_columns}}
FROM (SELECT * FROM token_transfers FINAL
    WHERE token = unhex({token:String}) AND {{export_window(log_index)}} AND {{export_behind_batch}} ORDER BY token, block_number, log_index, batch_index)
ORDER BY block_number, log_index, batch_index
