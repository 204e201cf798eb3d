-- Raw columns of a log. grain: one log; used to show logs and to decode transfers.
    block_number, log_index, tx_index, tx_hash, timestamp, address, topic_count, topic0, topic1, topic2, topic3, data
