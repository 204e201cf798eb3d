-- name:    first_internal_funding
-- serves:  compatible account.fundedby
-- returns: the first internal call that sent native currency to the address, or no row
-- reads:   internal_calls_by_address by primary key
-- budget:  10 s, 512 MiB, 1 row
SELECT block_number, tx_index, timestamp, from, tx_hash, value
FROM internal_calls_by_address
WHERE address = unhex({address:String}) AND {{visible}} AND to = unhex({address:String}) AND value > 0 AND from != unhex({address:String}) AND error = ''
ORDER BY block_number, tx_index, call_index
LIMIT 1
