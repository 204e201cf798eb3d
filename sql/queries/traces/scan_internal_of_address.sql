-- name:    scan_internal_of_address
-- orders:  asc, desc
-- serves:  listInternalTransfers
-- returns: block of the internal call after the first `skip` ones of the address, or no row
-- reads:   internal_calls_by_address by primary key, at most skip rows of three columns
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND {{visible}} AND {{behind(block_number, tx_index, call_index)}}
ORDER BY {{in_order(block_number, tx_index, call_index)}}
LIMIT 1 OFFSET {skip:UInt32}
