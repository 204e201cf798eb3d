-- name:    internal_of_address_desc
-- serves:  compatible account.txlistinternal
-- params:  snapshot | address String 40 hex digits | side String from, to or empty | counterparty String 40 hex digits of the other side or empty
--          | from_block UInt64 | to_block UInt64 both inclusive | at_block UInt64 | at_index Int64 | at_part Int64 place of the last row sent, exclusive
--          | limit UInt32 1..10_001
-- returns: one row per internal call from or to the address, two while a repeated insert is not merged yet, newest first
-- reads:   internal_calls_by_address by key, backwards
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{internal_columns}}
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND {{visible}}
  AND block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
  AND (block_number, tx_index, call_index) < ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
  AND if({side:String} = '', 1, if({side:String} = 'from', from, ifNull(to, toFixedString('', 20))) = unhex({address:String}))
  AND if({counterparty:String} = '', 1, if({side:String} = 'from', ifNull(to, toFixedString('', 20)), from) = unhex({counterparty:String}))
ORDER BY block_number DESC, tx_index DESC, call_index DESC
LIMIT {limit:UInt32}
