-- Columns of a token transfer, as stored.
    block_number, log_index, batch_index, tx_index, tx_hash, timestamp, token, standard, from, to, token_id, value
