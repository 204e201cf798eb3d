-- Identity of a transaction for its digest: blockNumber:txIndex:txHash:status:gasUsed:fee; the argument is the hash column.
concat(toString(block_number), ':', toString(tx_index), ':0x', lower(hex(@source)), ':', ifNull(toString(status), ''), ':', toString(gas_used), ':',
    toString(fee))
