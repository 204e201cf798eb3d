-- Columns of a token transfer, bare; grain: one moved token; read by the transfer lists.
    block_number, log_index, batch_index, tx_index, tx_hash, timestamp, token, standard, from, to, token_id, value
