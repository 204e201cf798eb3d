-- view:   account_token_transfers
-- what:   token transfers by account: one row for the sender and one for the recipient
-- fast:   filters on address, then on block_number
-- base:   token_transfers_by_address
SELECT address, block_number, log_index, batch_index, direction, tx_index, tx_hash, timestamp, token, standard, counterparty, token_id, value
FROM token_transfers_by_address FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
