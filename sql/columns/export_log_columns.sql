-- Columns of an exported log. A missing topic is null.
block_number AS blockNumber, log_index AS logIndex, tx_index AS txIndex, concat('0x', lower(hex(tx_hash))) AS txHash,
    toUInt32(timestamp) AS timestamp, concat('0x', lower(hex(address))) AS address,
    if(topic_count > 0, concat('0x', lower(hex(topic0))), NULL) AS topic0, if(topic_count > 1, concat('0x', lower(hex(topic1))), NULL) AS topic1,
    if(topic_count > 2, concat('0x', lower(hex(topic2))), NULL) AS topic2, if(topic_count > 3, concat('0x', lower(hex(topic3))), NULL) AS topic3,
    concat('0x', lower(hex(data))) AS data
