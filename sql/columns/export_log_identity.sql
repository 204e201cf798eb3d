-- Text of a log for the digest of an export: blockNumber:logIndex:txHash:address:topic0:topic1:topic2:topic3:data. A missing
-- topic is empty.
concat(toString(block_number), ':', toString(log_index), ':0x', lower(hex(tx_hash)), ':0x', lower(hex(address)),
    if(topic_count > 0, concat(':0x', lower(hex(topic0))), ':'), if(topic_count > 1, concat(':0x', lower(hex(topic1))), ':'),
    if(topic_count > 2, concat(':0x', lower(hex(topic2))), ':'), if(topic_count > 3, concat(':0x', lower(hex(topic3))), ':'), ':0x', lower(hex(data)))
