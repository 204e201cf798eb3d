-- Columns of a log, as stored.
    block_number, log_index, tx_index, tx_hash, timestamp, address, topic_count, topic0, topic1, topic2, topic3, data
