-- name:    certify_transfers_of_address
-- serves:  exportRows, certifyExport
-- params:  to_block: last block, inclusive; it is finalized
--          | at_index: log index of the last row of the previous export, minus 1, because that log may contain more transfers
-- returns: one row: number of exported rows, and the digest of their texts
-- reads:   the same rows as export_transfers_of_address, fewer columns
-- budget:  3600 s, 4096 MiB, 1 row
SELECT count() AS row_count, {{export_digest({{export_transfer_identity}})}} AS digest
FROM
(
    SELECT *, if(direction = 'out', address, counterparty) AS from, if(direction = 'out', counterparty, address) AS to
    FROM token_transfers_by_address FINAL
    WHERE address = unhex({address:String}) AND ({token:String} = '' OR token = unhex({token:String})) AND {{export_window(log_index)}}
        AND {{export_behind_batch}}
      AND NOT (direction = 'in' AND counterparty = address)
)
