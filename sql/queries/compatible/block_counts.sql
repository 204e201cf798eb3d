-- name:    block_counts
-- serves:  getAnchor, compatible block.getblocktxnscount
-- returns: one row: number of token transfers in the block, by standard
-- reads:   logs by primary key
-- budget:  5 s, 512 MiB, 1 row
SELECT
    countIf(standard = 'erc20') AS erc20_transfers, countIf(standard = 'erc721') AS erc721_transfers,
    countIf(standard = 'erc1155') AS erc1155_transfers
FROM ({{token_transfers_of_logs((SELECT * FROM logs WHERE {{visible}} AND block_number = {block_number:UInt64} LIMIT 1 BY block_number, log_index))}})
