-- name:    query_nft_trades
-- serves:  queryStats
-- params:  senders: sellers | recipients: buyers | standards: erc721, erc1155
-- returns: the requested statistics, one row per time bucket and key; largest first if the request ranks them. A trade is an
--          NFT transfer between two accounts for which the recipient pays: in the same transaction, the recipient sends an
--          ERC-20 token, or sends the transaction itself with native currency
-- reads:   token_transfers and transactions of the block range; with tokens, transactions only at positions of NFT transfers
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, nothing, token, standard, sender, recipient
FROM
(
    -- payers per transaction. Memory holds the other, smaller side of the join: the NFT transfers
    SELECT block_number AS paid_block, tx_index AS paid_index, from AS payer FROM transactions
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}} AND value > 0
        /*?tokens:*/ AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM token_transfers WHERE {{asked_nft_transfers}}) /*?;*/
    UNION ALL
    SELECT block_number, tx_index, from FROM token_transfers
    WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}} AND standard = 'erc20' AND value > 0 AND from != to
        /*?tokens:*/ AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM token_transfers WHERE {{asked_nft_transfers}}) /*?;*/
) AS payments
RIGHT SEMI JOIN
(
    SELECT block_number, tx_index, timestamp, '' AS nothing, token, toString(standard) AS standard, from AS sender, to AS recipient
    FROM token_transfers FINAL
    WHERE {{asked_nft_transfers}}
    SETTINGS do_not_merge_across_partitions_select_final = 1
) AS transfers ON paid_block = block_number AND paid_index = tx_index AND payer = recipient
)}}
