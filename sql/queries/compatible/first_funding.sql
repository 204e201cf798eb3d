-- name:    first_funding
-- serves:  compatible account.fundedby
-- returns: the first transaction that sent native currency to the address, or no row
-- reads:   address_roles by primary key
-- budget:  10 s, 512 MiB, 1 row
SELECT block_number, tx_index, timestamp, from, tx_hash, value
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}} AND bitAnd(roles, 2) != 0 AND value > 0 AND from != unhex({address:String}) AND ifNull(status, 1) = 1
ORDER BY block_number, tx_index
LIMIT 1
