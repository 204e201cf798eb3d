-- name:    transfers_of_address
-- orders:  asc, desc
-- serves:  listTransfers, compatible account.tokentx
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits | direction String in, out or empty
--          | counterparty String 40 hex digits or empty | token String 40 hex digits or empty
--          | standard String erc20, erc721, erc1155 or empty | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64
--          | at_index Int64 | at_part Int64 position of the last row of the previous page | limit UInt32 1..10_001
-- returns: one row per moved token id, in the requested order; two rows for a transfer to the sender itself; may contain duplicate
--          rows
-- reads:   token_transfers_by_address by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{transfer_columns}}
FROM
(
    SELECT *, if(direction = 'out', address, counterparty) AS from, if(direction = 'out', counterparty, address) AS to
    FROM token_transfers_by_address
    WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, log_index, batch_index)}}
      AND if({direction:String} = '', 1, toString(direction) = {direction:String})
      AND if({counterparty:String} = '', 1, counterparty = unhex({counterparty:String}))
      AND if({token:String} = '', 1, token = unhex({token:String}))
      AND if({standard:String} = '', 1, toString(standard) = {standard:String})
    ORDER BY {{in_order(block_number, log_index, batch_index)}}
    LIMIT {limit:UInt32}
)
ORDER BY {{in_order(block_number, log_index, batch_index)}}
