-- name:    keep_orphans
-- serves:  pipeline
-- params:  above: last block that stays | head: last block that is about to be removed
-- returns: nothing; copies the transactions of these blocks to orphaned_transactions
-- reads:   transactions of those blocks
-- budget:  60 s, 2048 MiB, 0 rows
INSERT INTO orphaned_transactions
SELECT block_hash, tx_index, block_number, hash, from, to, contract_address, value, nonce, status, timestamp
FROM transactions
WHERE final = 0 AND block_number > {above:UInt64} AND block_number <= {head:UInt64}
LIMIT 1 BY block_number, tx_index
