-- name:    keep_finalized_orphans
-- serves:  pipeline, rewind
-- params:  above: all blocks above it are about to be removed, finalized ones too
-- returns: nothing; copies the transactions of these blocks to orphaned_transactions
-- reads:   transactions of those blocks
-- budget:  600 s, 4096 MiB, 0 rows
INSERT INTO orphaned_transactions
SELECT block_hash, tx_index, block_number, hash, from, to, contract_address, value, nonce, status, timestamp
FROM transactions
WHERE block_number > {above:UInt64}
LIMIT 1 BY block_number, tx_index
