-- name:    audit_sample
-- serves:  pipeline
-- params:  blocks: finalized blocks
-- returns: transactions of these blocks with their receipt fields
-- reads:   transactions by primary key
-- budget:  30 s, 512 MiB, 1000 rows
SELECT concat('0x', lower(hex(hash))) AS tx_hash, concat('0x', lower(hex(block_hash))) AS block_hash, toUInt64(block_number) AS block_number,
    toUInt32(tx_index) AS tx_index, status, gas_used, cumulative_gas_used, toString(gas_price) AS gas_price_wei, log_count
FROM (SELECT * FROM transactions FINAL WHERE final = 1 AND block_number IN {blocks:Array(UInt64)} ORDER BY block_number, tx_index)
ORDER BY block_number, tx_index
LIMIT {limit:UInt32}
