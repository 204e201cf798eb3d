-- Text of a token transfer for the digest of an export: blockNumber:logIndex:batchIndex:token:from:to:tokenId:value.
concat(toString(block_number), ':', toString(log_index), ':', toString(batch_index), ':0x', lower(hex(token)), ':0x', lower(hex(from)), ':0x',
    lower(hex(to)), ':', toString(token_id), ':', toString(value))
