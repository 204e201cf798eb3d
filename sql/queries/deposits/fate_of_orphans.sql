-- name:    fate_of_orphans
-- serves:  listReorgs
-- params:  hashes: 64 hex digits of removed blocks
-- returns: transactions of the removed blocks, with the height of the block that contains them now (null: none)
-- reads:   orphaned_transactions, transaction_hashes and transactions by primary key
-- budget:  20 s, 2048 MiB, 100_000 rows
WITH orphans AS
(
    SELECT block_hash, tx_index, hash, from, to, value FROM orphaned_transactions
    WHERE block_hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32))
    LIMIT 1 BY block_hash, tx_index
)
SELECT concat('0x', lower(hex(block_hash))) AS removed_from, tx_index, concat('0x', lower(hex(hash))) AS tx_hash,
    concat('0x', lower(hex(from))) AS sender, if(to IS NULL, NULL, concat('0x', lower(hex(to)))) AS recipient, toString(value) AS wei, now_in
FROM orphans
LEFT JOIN
(
    SELECT hash, toNullable(any(block_number)) AS now_in FROM transactions
    WHERE {{visible}} AND (block_number, tx_index) IN
    (
        SELECT block_number, tx_index FROM transaction_hashes
        WHERE {{visible}} AND hash_prefix IN (SELECT toFixedString(substring(hash, 1, 8), 8) FROM orphans)
    ) AND hash IN (SELECT hash FROM orphans)
    GROUP BY hash
) AS standing USING (hash)
ORDER BY removed_from, tx_index
