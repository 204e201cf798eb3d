-- Columns of an exported token transfer.
block_number AS blockNumber, log_index AS logIndex, batch_index AS batchIndex, tx_index AS txIndex, concat('0x', lower(hex(tx_hash))) AS txHash,
    toUInt32(timestamp) AS timestamp, concat('0x', lower(hex(token))) AS token, toString(standard) AS standard,
    concat('0x', lower(hex(from))) AS "from", concat('0x', lower(hex(to))) AS "to", toString(token_id) AS tokenId, toString(value) AS value
