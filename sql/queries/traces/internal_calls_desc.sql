-- name:    internal_calls_desc
-- serves:  compatible account.txlistinternal
-- params:  snapshot | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 | at_part Int64 place of the last row sent, exclusive | limit UInt32 1..10_001
-- returns: one row per internal call of the blocks, two while a repeated insert is not merged yet, newest first
-- reads:   internal_calls by key, backwards
-- budget:  10 s, 1024 MiB, 20_002 rows
SELECT
{{internal_columns}}
FROM internal_calls
WHERE {{visible}} AND block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
  AND (block_number, tx_index, call_index) < ({at_block:UInt64}, {at_index:Int64}, {at_part:Int64})
ORDER BY block_number DESC, tx_index DESC, call_index DESC
LIMIT {limit:UInt32}
