-- Text of a transaction for the digest of an export: blockNumber:txIndex:txHash:status:gasUsed:fee. @source stands for a hash
-- column.
concat(toString(block_number), ':', toString(tx_index), ':0x', lower(hex(@source)), ':', ifNull(toString(status), ''), ':', toString(gas_used), ':',
    toString(fee))
