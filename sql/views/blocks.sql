-- view:   blocks
-- what:   blocks, one row each
-- fast:   filters on block_number or timestamp
-- base:   blocks
-- column: extra_data Header field extraData, hex with 0x
SELECT block_number, hash, parent_hash, timestamp, miner, gas_limit, gas_used, base_fee_per_gas, difficulty, size,
    concat('0x', lower(hex(blocks.extra_data))) AS extra_data, state_root,
    transactions_root, receipts_root, withdrawals_root, blob_gas_used, excess_blob_gas, uncle_count, withdrawal_count, transaction_count,
    log_count, fees, burned
FROM blocks FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
