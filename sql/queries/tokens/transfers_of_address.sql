-- name:    transfers_of_address
-- orders:  asc, desc
-- serves:  listTransfers, compatible account.tokentx
-- returns: token transfers (batch: items) of the address; two rows for a transfer to the sender itself; may repeat rows
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
      AND value >= {min_value:UInt256}
    ORDER BY {{in_order(block_number, log_index, batch_index)}}
    LIMIT {limit:UInt32}
)
ORDER BY {{in_order(block_number, log_index, batch_index)}}
