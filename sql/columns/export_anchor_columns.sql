-- Columns of an exported block.
block_number AS blockNumber, concat('0x', lower(hex(hash))) AS blockHash, concat('0x', lower(hex(parent_hash))) AS parentHash,
    toUInt32(timestamp) AS timestamp, concat('0x', lower(hex(miner))) AS miner, gas_limit AS gasLimit, gas_used AS gasUsed,
    toString(base_fee_per_gas) AS baseFeePerGas, size, transaction_count AS transactionCount, log_count AS logCount,
    toString(fees) AS fees, toString(burned) AS burned
