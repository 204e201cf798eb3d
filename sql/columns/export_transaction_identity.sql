-- Text that identifies a transaction in the digest of an export: blockNumber:txIndex:txHash:status:gasUsed:fee. Pass the name of
-- the hash column as @source.
concat(toString(block_number), ':', toString(tx_index), ':0x', lower(hex(@source)), ':', ifNull(toString(status), ''), ':', toString(gas_used), ':',
    toString(fee))
