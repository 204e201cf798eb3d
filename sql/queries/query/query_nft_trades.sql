-- name:    query_nft_trades
-- serves:  queryStats
-- params:  snapshot (blocks visible to readers) | from_block UInt64 | to_block UInt64 both inclusive
--          | amount Identifier | subject Identifier | key1 Identifier | key2 Identifier columns below
--          | bucket_seconds UInt32 | period String | top1 Array(String) | top2 Array(String) | rank Identifier | limit UInt32
--          | first_time UInt32, all of the fragment query_figures
--          | senders Array(String) sellers | recipients Array(String) buyers | tokens Array(String) 40 hex digits each
--          | standards Array(String) erc721, erc1155
-- returns: one row per time bucket (if asked for) and key, with the asked figures; the largest first if ranked. A trade is an NFT
--          transfer between two accounts whose recipient pays in the same transaction: it sends the transaction with coins, or a
--          TOKEN-20 token leaves it
-- reads:   token_transfers by primary key, if tokens are given, else all of it; transactions at the positions of NFT transfers
-- budget:  20 s, 3072 MiB, 1_000_000 rows
{{query_figures(
SELECT block_number, timestamp, '' AS nothing, token, toString(standard) AS standard, from AS sender, to AS recipient
    FROM token_transfers FINAL
    WHERE {{asked_nft_transfers}}
        AND (block_number, tx_index, to) IN
        (
            SELECT block_number, tx_index, from FROM transactions
            WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}} AND value > 0
                AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM token_transfers WHERE {{asked_nft_transfers}})
            UNION ALL
            SELECT block_number, tx_index, from FROM token_transfers
            WHERE block_number BETWEEN {from_block:UInt64} AND {to_block:UInt64} AND {{visible}}
                AND standard = 'erc20' AND value > 0 AND from != to
                AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM token_transfers WHERE {{asked_nft_transfers}})
        )
    SETTINGS do_not_merge_across_partitions_select_final = 1
)}}
