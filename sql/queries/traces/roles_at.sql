-- name:    roles_at
-- serves:  listAccountTransactions, getSemanticHistory
-- params:  snapshot (blocks visible to readers) | address String 40 hex digits | blocks Array(UInt64) block numbers
--          | indexes Array(UInt32) positions of transactions in these blocks
-- returns: roles of the address (such as sender) in the given transactions, if any, unordered
-- reads:   address_roles by primary key
-- budget:  20 s, 2048 MiB, 20_000 rows
SELECT block_number, tx_index, roles
FROM address_roles
WHERE address = unhex({address:String}) AND {{visible}} AND (block_number, tx_index) IN {{places}}
