-- Text that identifies a block in the digest of an export: blockNumber:blockHash.
concat(toString(block_number), ':0x', lower(hex(hash)))
