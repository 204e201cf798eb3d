-- Raw columns of a token transfer. grain: one moved token; used by the transfer lists.
    block_number, log_index, batch_index, tx_index, tx_hash, timestamp, token, standard, from, to, token_id, value
