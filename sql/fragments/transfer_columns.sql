-- Columns of a token transfer as replies show it; grain: one moved token; read by the transfer lists.
    block_number, log_index, batch_index, tx_index, concat('0x', lower(hex(tx_hash))) AS hash, toUInt32(timestamp) AS time,
    concat('0x', lower(hex(token))) AS token_hex, toString(standard) AS standard_name,
    concat('0x', lower(hex(from))) AS from_hex, concat('0x', lower(hex(to))) AS to_hex,
    toString(token_id) AS id, toString(value) AS amount
