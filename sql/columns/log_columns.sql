-- Columns of a log, bare; grain: one log; read where logs are shown or transfers decoded from them.
    block_number, log_index, tx_index, tx_hash, timestamp, address, topic_count, topic0, topic1, topic2, topic3, data
