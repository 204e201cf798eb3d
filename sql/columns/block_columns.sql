-- Columns of a block in API replies: hashes as hex text, amounts in wei as decimal text.
    block_number, concat('0x', lower(hex(hash))) AS block_hash, concat('0x', lower(hex(parent_hash))) AS parent_hash,
    toUInt32(timestamp) AS time, concat('0x', lower(hex(miner))) AS miner_hex, gas_limit, gas_used,
    toString(base_fee_per_gas) AS base_fee, size, transaction_count, log_count, toString(fees) AS fees_wei, toString(burned) AS burned_wei,
    concat('0x', lower(hex(extra_data))) AS extra, concat('0x', lower(hex(state_root))) AS state_root_hex,
    concat('0x', lower(hex(transactions_root))) AS transactions_root_hex, concat('0x', lower(hex(receipts_root))) AS receipts_root_hex,
    uncle_count, withdrawal_count
