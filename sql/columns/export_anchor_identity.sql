-- Text of a block for the digest of an export: blockNumber:blockHash.
concat(toString(block_number), ':0x', lower(hex(hash)))
