-- NFT transfers between two different accounts, without mints and burns, for a statistics query (api/read/query).
standard != 'erc20' AND from != to AND from != toFixedString('', 20) AND to != toFixedString('', 20)
    AND block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
    {{asked_transfers}}
