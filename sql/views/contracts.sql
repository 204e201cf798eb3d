-- view:   contracts
-- what:   contracts that a transaction created. The view traces has contracts that other contracts created (types create and create2)
-- fast:   filters on address
-- base:   contract_creations
SELECT address, block_number, tx_index, tx_hash, creator, timestamp
FROM contract_creations FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
