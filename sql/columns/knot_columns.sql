-- Columns of an event in search results. An event (row of knots) is a log or a transaction of a wallet.
    wallet, toUnixTimestamp(timestamp) AS time, block_number, tx_index, log_index, part, tx_hash, kind, direction, status,
    token, token_symbol, amount, decimals, second_token, second_token_symbol, second_amount, second_decimals, token_id, counterparty,
    method_id, method, fee, {{knot_dollars}} AS usd, shape_id
