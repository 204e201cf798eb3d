-- name:    transaction_of_nonce
-- serves:  getWithdrawal, postWithdrawal, getTransactionState
-- returns: the transaction of this sender with this nonce, or no row
-- reads:   address_roles by primary key
-- budget:  10 s, 1024 MiB, 1 row
SELECT concat('0x', lower(hex(tx_hash))) AS hash, block_number
FROM address_roles
WHERE address = toFixedString(unhex({sender:String}), 20) AND {{visible}} AND bitAnd(roles, 1) != 0 AND nonce = {nonce:UInt64}
ORDER BY block_number DESC
LIMIT 1
