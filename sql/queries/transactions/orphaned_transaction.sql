-- name:    orphaned_transaction
-- serves:  getTransaction, getTransactionState, getKnot
-- returns: the newest block that contained the transaction and that a reorg removed; no row if none
-- reads:   orphaned_transactions, full scan of the column hash
-- budget:  5 s, 256 MiB, 1 row
SELECT block_number, concat('0x', lower(hex(block_hash))) AS removed_block
FROM orphaned_transactions
WHERE hash = unhex({hash:String})
ORDER BY timestamp DESC, block_number DESC
LIMIT 1
