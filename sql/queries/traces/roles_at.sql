-- name:    roles_at
-- serves:  listAccountTransactions, getSemanticHistory
-- returns: roles of the address (such as sender) in those given transactions in which it has one; unordered
-- reads:   address_roles by primary key
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, roles
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}} AND (block_number, tx_index) IN {{places}}
