-- name:    scan_transfers_of_token
-- orders:  asc, desc
-- serves:  listTransfers, listTokenTransfers
-- params:  snapshot (blocks visible to readers) | token String 40 hex digits | from_block UInt64 | to_block UInt64 both inclusive
--          | at_block UInt64 | at_index Int64 | at_part Int64 position of the last row of the previous page
--          | skip UInt32 rows to skip
-- returns: block of the token's first transfer after `skip` transfers, in the requested order; no row if there are fewer
-- reads:   token_transfers by primary key, at most skip rows of three columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM token_transfers
WHERE token = unhex({token:String}) AND {{visible}} AND {{behind(block_number, log_index, batch_index)}}
ORDER BY {{in_order(block_number, log_index, batch_index)}}
LIMIT 1 OFFSET {skip:UInt32}
