-- Columns of a token in API replies, from fragment token_figures.
    concat('0x', lower(hex(token))) AS address,
    CAST(if(standard_code IN (1, 2, 3), standard_code, 1), 'Enum8(\'erc20\' = 1, \'erc721\' = 2, \'erc1155\' = 3)') AS standard,
    name, symbol, decimals, toString(total_supply) AS supply, checked_block, transfer_count, first_block,
    toUInt32(first_time) AS first_seen, last_block, toUInt64(holder_count) AS holders
