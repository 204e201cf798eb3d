-- name:    export_transfers_of_address
-- serves:  exportRows
-- params:  to_block: last block, inclusive; it is finalized
--          | at_index: in the first block, only logs above this index are read. An export continues from the log index of its
--            last row, minus 1, because that log may contain more transfers
-- returns: token transfers from or to the address in the block range, oldest first; streamed
-- reads:   token_transfers_by_address by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT
{{export_transfer_columns}}
FROM
(
    SELECT *, if(direction = 'out', address, counterparty) AS from, if(direction = 'out', counterparty, address) AS to
    FROM token_transfers_by_address FINAL
    WHERE address = unhex({address:String}) AND ({token:String} = '' OR token = unhex({token:String})) AND {{export_window(log_index)}}
        AND {{export_behind_batch}}
      AND NOT (direction = 'in' AND counterparty = address)
    ORDER BY address, block_number, log_index, batch_index
)
ORDER BY block_number, log_index, batch_index
