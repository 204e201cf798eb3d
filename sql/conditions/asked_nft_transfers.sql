-- Selects NFT transfers between two accounts for a statistics query (api/read/query), without mints, burns and transfers of an
-- account to itself.
standard != 'erc20' AND from != to AND from != toFixedString('', 20) AND to != toFixedString('', 20)
    AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
    {{asked_transfers}}
