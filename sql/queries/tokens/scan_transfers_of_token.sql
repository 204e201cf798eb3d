-- name:    scan_transfers_of_token
-- orders:  asc, desc
-- serves:  listTransfers, listTokenTransfers
-- returns: block of the transfer after the first `skip` ones of the token, or no row
-- reads:   token_transfers by primary key, at most skip rows of three columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM token_transfers
WHERE token = unhex({token:String}) AND {{visible}} AND {{behind(block_number, log_index, batch_index)}}
ORDER BY {{in_order(block_number, log_index, batch_index)}}
LIMIT 1 OFFSET {skip:UInt32}
