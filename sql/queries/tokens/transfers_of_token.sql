-- name:    transfers_of_token
-- orders:  asc, desc
-- serves:  listTokenTransfers, listTransfers, compatible account.tokentx
-- params:  kind: mint, burn, transfer or empty
-- returns: transfers (batch: items) of the token; may repeat rows
-- reads:   token_transfers by primary key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{transfer_columns}}
FROM token_transfers
WHERE token = unhex({token:String}) AND {{visible}} AND {{behind(block_number, log_index, batch_index)}}
  AND if({kind:String} = '', 1, {kind:String} = multiIf(from = toFixedString('', 20), 'mint', to = toFixedString('', 20), 'burn', 'transfer'))
  AND if({standard:String} = '', 1, toString(standard) = {standard:String})
  AND if({token_id:String} = '', 1, bitAnd(token_id = toUInt256OrZero({token_id:String}), standard != 'erc20'))
  AND value >= {min_value:UInt256}
ORDER BY {{in_order(block_number, log_index, batch_index)}}
LIMIT {limit:UInt32}
