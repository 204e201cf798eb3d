-- view:   transactions
-- what:   transactions with their receipts, one row each
-- fast:   filters on block_number; use account_transactions for one account, transaction_positions for a hash
-- base:   transactions
-- column: method_id First 4 bytes of the call data, hex with 0x; empty if the call data is shorter
-- column: input Call data, hex with 0x
SELECT block_number, tx_index, hash, block_hash, timestamp, type, from, to, contract_address, value, nonce, gas_limit, gas_price,
    max_fee_per_gas, max_priority_fee_per_gas, max_fee_per_blob_gas, blob_gas_used, blob_gas_price, blob_count, authorization_count,
    concat('0x', lower(hex(transactions.input))) AS input,
    if(length(transactions.input) < 4, '', concat('0x', lower(hex(substring(transactions.input, 1, 4))))) AS method_id,
    status, gas_used, cumulative_gas_used, fee, log_count, typed_fields
FROM transactions FINAL
WHERE {{visible}}
SETTINGS do_not_merge_across_partitions_select_final = 1
