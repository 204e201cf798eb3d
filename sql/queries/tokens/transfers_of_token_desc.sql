-- name:    transfers_of_token_desc
-- serves:  listTokenTransfers, listTransfers, compatible account.tokentx
-- params:  snapshot | token String 40 hex digits | kind String mint, burn, transfer or empty | standard String erc20, erc721, erc1155 or empty | from_block
--          UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 | at_part Int64 place of the last row sent, exclusive | limit UInt32 1..10_001
-- returns: one row per moved token, two while a repeated insert is not merged yet, newest first
-- reads:   token_transfers by key
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{transfer_columns}}
FROM token_transfers
WHERE token = unhex({token:String}) AND {{visible}} AND block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
  AND (block_number, log_index, batch_index) < ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
  AND if({kind:String} = '', 1, {kind:String} = multiIf(from = toFixedString('', 20), 'mint', to = toFixedString('', 20), 'burn', 'transfer'))
  AND if({standard:String} = '', 1, toString(standard) = {standard:String})
ORDER BY block_number DESC, log_index DESC, batch_index DESC
LIMIT {limit:UInt32}
