-- Columns of a token as replies show it; grain: one token; read from token_figures.
    concat('0x', lower(hex(token))) AS address, transform(standard_code, [1, 2, 3], ['erc20', 'erc721', 'erc1155'], 'erc20') AS standard,
    name, symbol, decimals, toString(total_supply) AS supply, checked_block, transfer_count, first_block,
    toUInt32(first_time) AS first_seen, last_block, toUInt64(holder_count) AS holders
