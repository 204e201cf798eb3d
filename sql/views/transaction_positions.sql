-- view:   transaction_positions
-- what:   positions of transactions by the first 8 bytes of their hash, to find a transaction by its hash
-- fast:   filters on hash_prefix
-- base:   transaction_hashes
SELECT hash_prefix, block_number, tx_index
FROM transaction_hashes FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
