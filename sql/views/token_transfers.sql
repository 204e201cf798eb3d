-- view:   token_transfers
-- what:   token transfers (ERC-20, ERC-721, ERC-1155), one row each; an ERC-1155 batch has one row per item
-- fast:   filters on token, then on block_number
-- base:   token_transfers
SELECT token, block_number, log_index, batch_index, tx_index, tx_hash, timestamp, standard, from, to, token_id, value
FROM token_transfers FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
