-- name:    export_anchors
-- serves:  exportRows
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive and finalized
--          | at_block UInt64 | at_index Int64 0 if the previous export returned block at_block, else -1
-- returns: one row per block of the range, oldest first; streamed
-- reads:   blocks by primary key
-- budget:  36000 s, 4096 MiB, 1_000_000_000_000 rows
SELECT block_number AS blockNumber, concat('0x', lower(hex(hash))) AS blockHash, concat('0x', lower(hex(parent_hash))) AS parentHash,
    toUInt32(timestamp) AS timestamp, concat('0x', lower(hex(miner))) AS miner, gas_limit AS gasLimit, gas_used AS gasUsed,
    toString(base_fee_per_gas) AS baseFeePerGas, size, transaction_count AS transactionCount, log_count AS logCount,
    toString(fees) AS fees, toString(burned) AS burned
FROM (SELECT * FROM blocks FINAL WHERE {{export_window(0)}} ORDER BY block_number)
ORDER BY block_number
